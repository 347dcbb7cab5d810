import { rows, words } from './folding.ts';
import type { Place } from './types.ts';

export interface City {
  readonly name: string;
  /** The place. All people in the city share this object. */
  readonly place: Place;
  /** The place for people of whom only the state is known. */
  readonly surroundings: Place;
  readonly postcodeTemplate: string;
  /** First digits of national numbers in this city that are reserved for fiction or were never assigned. */
  readonly phonePrefixes: readonly string[];
}

export interface Country {
  readonly weight: number;
  readonly name: string;
  readonly code: string;
  readonly region: Place['region'];
  readonly continent: string;
  readonly callingCode: string;
  /** Prefix dialled before a national number inside the country. Empty in some countries. */
  readonly trunkPrefix: string;
  readonly nationalLength: number;
  readonly mobilePrefixes: readonly string[];
  readonly topLevelDomains: readonly string[];
  /** Names of tables in `names.ts`. A table that is listed twice is drawn more often. */
  readonly cultures: readonly string[];
  readonly cities: readonly City[];
}

/**
 * Phone numbers that no one has. For North America they are 555-01xx. For the United Kingdom, Ireland, Germany,
 * France, Sweden and Australia they are ranges that the regulators reserve for fiction. Other countries reserve none,
 * so their numbers are in blocks without an operator.
 */
const COUNTRIES = `
40|United States|US|NORAM|North America|1|1|10|-|com com com io net|english english hispanic african indian chinese
5|Canada|CA|NORAM|North America|1|1|10|-|ca com|english french chinese indian
13|United Kingdom|GB|EMEA|Europe|44|0|10|7700900|co.uk co.uk com|english english indian african polish
3|Ireland|IE|EMEA|Europe|353|0|9|2091|ie com|english polish
8|Germany|DE|EMEA|Europe|49|0|10|-|de de com|german german polish turkish
5|France|FR|EMEA|Europe|33|0|9|63998|fr com|french french hispanic
3|Spain|ES|EMEA|Europe|34||9|7900|es com|hispanic
4|Netherlands|NL|EMEA|Europe|31|0|9|690|nl com|dutch dutch turkish
3|Sweden|SE|EMEA|Europe|46|0|9|70174061 70174062 70174063 70174064 70174065 70174066|se com|nordic
3|Poland|PL|EMEA|Europe|48||9|4000|pl com|polish
4|India|IN|APAC|Asia|91|0|10|555000|in co.in com|indian
2|Japan|JP|APAC|Asia|81|0|10|9000|co.jp jp|japanese
2|Singapore|SG|APAC|Asia|65||8|5550|com.sg com|chinese indian english
4|Australia|AU|APAC|Oceania|61|0|9|-|com.au com.au com|english english chinese indian
3|Brazil|BR|LATAM|South America|55|0|11|-|com.br|brazilian
2|Mexico|MX|LATAM|North America|52||10|-|com.mx mx|hispanic
`;

const CITIES = `
US|New York|New York|100##|212 646 917 332
US|Los Angeles|California|900##|213 323 310 424
US|San Francisco|California|941##|415 628
US|San Jose|California|951##|408 669
US|San Diego|California|921##|619 858
US|Seattle|Washington|981##|206 425
US|Portland|Oregon|972##|503 971
US|Denver|Colorado|802##|303 720
US|Austin|Texas|787##|512 737
US|Dallas|Texas|752##|214 469 972
US|Houston|Texas|770##|713 281 832
US|Chicago|Illinois|606##|312 773 872
US|Minneapolis|Minnesota|554##|612 763 952
US|Detroit|Michigan|482##|313 248
US|Columbus|Ohio|432##|614 380
US|Cleveland|Ohio|441##|216 440
US|Pittsburgh|Pennsylvania|152##|412 878
US|Philadelphia|Pennsylvania|191##|215 267 445
US|Boston|Massachusetts|021##|617 857 781
US|Washington|District of Columbia|200##|202 771
US|Raleigh|North Carolina|276##|919 984
US|Charlotte|North Carolina|282##|704 980
US|Atlanta|Georgia|303##|404 470 678
US|Nashville|Tennessee|372##|615 629
US|Miami|Florida|331##|305 786
US|Tampa|Florida|336##|813 727
US|Phoenix|Arizona|850##|602 480 623
US|Salt Lake City|Utah|841##|801 385
US|Kansas City|Missouri|641##|816 975
US|St. Louis|Missouri|631##|314 557
CA|Toronto|Ontario|M5@ #@#|416 647 437
CA|Ottawa|Ontario|K1@ #@#|613 343
CA|Vancouver|British Columbia|V6@ #@#|604 778 236
CA|Montreal|Quebec|H3@ #@#|514 438
CA|Calgary|Alberta|T2@ #@#|403 587
GB|London|England|EC#@ #@@|2079460
GB|Manchester|England|M# #@@|1614960
GB|Birmingham|England|B# #@@|1214960
GB|Leeds|England|LS# #@@|1134960
GB|Bristol|England|BS# #@@|1174960
GB|Liverpool|England|L# #@@|1514960
GB|Edinburgh|Scotland|EH# #@@|1314960
GB|Glasgow|Scotland|G# #@@|1414960
GB|Cardiff|Wales|CF# #@@|2920180
GB|Belfast|Northern Ireland|BT# #@@|2896496
IE|Dublin|Leinster|D0# @#@#|2091
IE|Cork|Munster|T12 @#@#|2091
DE|Berlin|Berlin|101##|3023125
DE|Hamburg|Hamburg|200##|4066969
DE|Munich|Bavaria|803##|8999998
DE|Cologne|North Rhine-Westphalia|506##|2214710
DE|Frankfurt|Hesse|603##|6990009
FR|Paris|Île-de-France|750##|19900
FR|Lyon|Auvergne-Rhône-Alpes|690##|46571
FR|Lille|Hauts-de-France|590##|35301
FR|Nantes|Pays de la Loire|440##|26191
FR|Toulouse|Occitanie|310##|53649
ES|Madrid|Community of Madrid|280##|7900
ES|Barcelona|Catalonia|080##|7900
ES|Valencia|Valencian Community|460##|7900
NL|Amsterdam|North Holland|10## @@|690
NL|Rotterdam|South Holland|30## @@|690
NL|Utrecht|Utrecht|35## @@|690
SE|Stockholm|Stockholm County|11# ##|8465004
SE|Gothenburg|Västra Götaland|41# ##|3139006
SE|Malmö|Skåne|21# ##|4062804
PL|Warsaw|Masovian|00-###|4000
PL|Kraków|Lesser Poland|30-###|4000
PL|Wrocław|Lower Silesia|50-###|4000
IN|Bengaluru|Karnataka|5600##|555000
IN|Mumbai|Maharashtra|4000##|555000
IN|Hyderabad|Telangana|5000##|555000
IN|Pune|Maharashtra|4110##|555000
JP|Tokyo|Tokyo|100-00##|9000
JP|Osaka|Osaka|530-00##|9000
SG|Singapore||0#####|5550
AU|Sydney|New South Wales|20##|25550
AU|Melbourne|Victoria|30##|35550
AU|Brisbane|Queensland|40##|75550
AU|Perth|Western Australia|60##|85550
BR|São Paulo|São Paulo|01###-###|1190000
BR|Rio de Janeiro|Rio de Janeiro|20###-###|2190000
BR|Curitiba|Paraná|80###-###|4190000
MX|Mexico City|Ciudad de México|06###|550000
MX|Guadalajara|Jalisco|44###|330000
MX|Monterrey|Nuevo León|64###|810000
`;

const REGIONS: Readonly<Record<string, Place['region']>> = {
  NORAM: 'NORAM',
  EMEA: 'EMEA',
  APAC: 'APAC',
  LATAM: 'LATAM',
};

const cityRows = rows(CITIES);

export const countries: readonly Country[] = rows(COUNTRIES).map((cells) => {
  const [weight = '', name = '', code = '', region = '', continent = ''] = cells;
  const [callingCode = '', trunkPrefix = '', length = '', mobile = '', domains = '', cultures = ''] =
    cells.slice(5);
  const place = { country: name, countryCode: code, region: REGIONS[region] ?? 'EMEA' };
  return {
    weight: Number(weight),
    name,
    code,
    region: place.region,
    continent,
    callingCode,
    trunkPrefix,
    nationalLength: Number(length),
    mobilePrefixes: mobile === '-' ? [] : words(mobile),
    topLevelDomains: words(domains),
    cultures: words(cultures),
    cities: cityRows.filter((row) => row[0] === code).map((row) => readCity(row, place)),
  };
});

export const countryByCode: ReadonlyMap<string, Country> = new Map(countries.map((one) => [one.code, one]));

type CountryPart = Pick<Place, 'country' | 'countryCode' | 'region'>;

function readCity(
  [code, city = '', state = '', postcode = '', prefixes = '']: string[],
  part: CountryPart,
): City {
  const isNorthAmerica = code === 'US' || code === 'CA';
  const surroundings = { state: state === '' ? undefined : state, ...part };
  return {
    name: city,
    place: { city, ...surroundings },
    surroundings,
    postcodeTemplate: postcode,
    phonePrefixes: words(prefixes).map((prefix) => (isNorthAmerica ? `${prefix}55501` : prefix)),
  };
}
