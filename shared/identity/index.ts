export { domainsInAnswer, employerDomains, employerOf, subjectOf } from './answer-facts.ts';
export { countryCode, countryName, countrySpellings, hasStateCodes, stateCode } from './countries.ts';
export { weighEvidence } from './evidence.ts';
export { foldText, wordsOf } from './fold.ts';
export { IDENTIFYING_PROPERTIES, WATCHED_PROPERTIES } from './identifying-properties.ts';
export { isName } from './person-names.ts';
export { toE164 } from './phone-number.ts';
export {
  addressesOf,
  companyDomain,
  mailAddress,
  mailOf,
  normalIdentity,
  ownDomainOf,
  phoneOf,
  textOf,
} from './record-identity.ts';
export { isFreeMailDomain, pageOf } from './shared-addresses.ts';
export {
  addressKey,
  hostOf,
  profileKey,
  profileUrl,
  registrableDomain,
  toDomain,
  toUrl,
} from './web-address.ts';
