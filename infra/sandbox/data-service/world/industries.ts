import { rows } from './folding.ts';

export interface Industry {
  readonly weight: number;
  readonly name: string;
  readonly sicCode: string;
  readonly naicsCode: string;
  readonly naicsDescription: string;
  /** Last words of company names in this industry. */
  readonly nameEndings: readonly string[];
  readonly specialties: readonly string[];
  /** Description of its business. */
  readonly purpose: string;
}

const INDUSTRIES = `
16|Software Development|7372|511210|Software Publishers|Software, Systems, Labs, Technologies|cloud software, APIs, workflow automation, mobile development, developer tools|builds software that keeps teams in step
10|IT Services and IT Consulting|7379|541512|Computer Systems Design Services|Digital, Consulting, IT Services, Networks|systems integration, managed services, cloud migration, cyber security, help desk|plans, moves and runs the systems of mid-sized firms
9|Financial Services|6282|523940|Portfolio Management and Investment Advice|Capital, Finance, Wealth, Advisory|payments, lending, wealth management, treasury, compliance|helps businesses to plan, borrow and invest
5|Insurance|6411|524210|Insurance Agencies and Brokerages|Insurance, Mutual, Underwriting|commercial cover, risk assessment, claims handling, reinsurance|insures small and mid-sized companies
8|Hospitals and Health Care|8062|622110|General Medical and Surgical Hospitals|Health, Clinics, Care, Medical|outpatient care, telehealth, diagnostics, patient records|runs clinics and the services around them
4|Biotechnology Research|8731|541714|Research and Development in Biotechnology|Biosciences, Therapeutics, Genomics|assay development, sequencing, clinical trials, bioinformatics|develops assays and therapies for rare conditions
9|Manufacturing|3559|333249|Other Industrial Machinery Manufacturing|Manufacturing, Industries, Machine Works, Components|precision parts, CNC machining, quality assurance, tooling|makes precision parts and the machines that make them
4|Automotive|3714|336390|Other Motor Vehicle Parts Manufacturing|Motors, Mobility, Drive Systems|drivetrains, electric vehicles, fleet services, testing|supplies drive systems to vehicle makers
5|Construction|1542|236220|Commercial and Institutional Building Construction|Construction, Builders, Contracting|commercial building, refurbishment, project management, site safety|builds and refurbishes commercial property
5|Real Estate|6531|531210|Offices of Real Estate Agents and Brokers|Properties, Estates, Realty|property management, leasing, valuation, investment|lets and manages commercial and residential property
6|Retail|5651|448140|Family Clothing Stores|Outfitters, Stores, Market, Goods|e-commerce, merchandising, store operations, loyalty programmes|sells clothing and home goods in shops and online
4|Food and Beverage Services|5812|722511|Full-Service Restaurants|Kitchens, Foods, Provisions|catering, restaurants, food safety, supply|runs restaurants and caters for companies
5|Transportation, Logistics and Storage|4731|488510|Freight Transportation Arrangement|Logistics, Freight, Forwarding|freight forwarding, warehousing, customs, last-mile delivery|moves and stores goods across borders
6|Advertising Services|7311|541810|Advertising Agencies|Media, Creative, Agency|brand strategy, media buying, content, search marketing|plans and buys media for growing brands
4|Higher Education|8221|611310|Colleges, Universities and Professional Schools|College, Institute, Learning|professional courses, online learning, research, accreditation|teaches working people in courses and online
4|Renewable Energy|4911|221114|Solar Electric Power Generation|Energy, Solar, Renewables|solar parks, wind farms, battery storage, grid services|plans and runs solar parks and storage
3|Telecommunications|4813|517311|Wired Telecommunications Carriers|Telecom, Communications, Broadband|fibre, voice services, data centres, network operations|lays fibre and runs voice and data services
3|Legal Services|8111|541110|Offices of Lawyers|Law, Legal, Chambers|contracts, employment law, intellectual property, disputes|advises companies on contracts and disputes
3|Staffing and Recruiting|7361|561311|Employment Placement Agencies|Talent, Recruiting, People|executive search, contract staffing, assessment, onboarding|finds specialists for hard-to-fill roles
3|Travel Arrangements|4724|561510|Travel Agencies|Travel, Journeys, Tours|business travel, group tours, booking, event travel|arranges business trips and group tours
2|Non-profit Organizations|8399|813219|Other Grantmaking and Giving Services|Foundation, Trust, Initiative|grants, volunteering, community programmes, fundraising|funds community programmes and local volunteers
2|Mining|1044|212220|Gold Ore and Silver Ore Mining|Minerals, Resources|exploration, geology, site operations, reclamation|explores and works mineral deposits
`;

export const industries: readonly Industry[] = rows(INDUSTRIES).map((cells) => {
  const [weight = '', name = '', sicCode = '', naicsCode = '', naicsDescription = ''] = cells;
  const [endings = '', specialties = '', purpose = ''] = cells.slice(5);
  return {
    weight: Number(weight),
    name,
    sicCode,
    naicsCode,
    naicsDescription,
    nameEndings: endings.split(', '),
    specialties: specialties.split(', '),
    purpose,
  };
});
