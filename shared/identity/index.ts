export { areDifferentCompanies, compareCompanyNames, type NameComparison } from './company-names.ts';
export { foldText, wordsOf } from './fold.ts';
export { IDENTIFYING_PROPERTIES, WATCHED_PROPERTIES } from './identifying-properties.ts';
export { compareNames, holdsName, isName, type PersonName } from './person-names.ts';
export { toE164 } from './phone-number.ts';
export {
  companyDomain,
  companyDomainOf,
  mailOf,
  normalIdentity,
  phoneOf,
  textOf,
} from './record-identity.ts';
export { isFreeMailDomain, pageOf } from './shared-addresses.ts';
export {
  addressKey,
  domainLabel,
  profileKey,
  profileUrl,
  registrableDomain,
  toDomain,
  toUrl,
} from './web-address.ts';
