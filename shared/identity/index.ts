export {
  cleanAmount,
  cleanCity,
  cleanCompanyDomain,
  cleanCompanyName,
  cleanCurrency,
  cleanDay,
  cleanEmail,
  cleanEmployeeRange,
  cleanHeadCount,
  cleanHost,
  cleanId,
  cleanPageUrl,
  cleanParagraphs,
  cleanPastYear,
  cleanPersonName,
  cleanPhone,
  cleanPictureUrl,
  cleanPlace,
  cleanPostalCode,
  cleanProfileUrl,
  cleanText,
  cleanTitle,
  cleanUrl,
  cleanWebsite,
} from './clean.ts';
export { countryCode, countryName, countrySpellings, hasStateCodes, stateCode } from './countries.ts';
export {
  type AddressMisfit,
  domainsInAnswer,
  employerDomains,
  employerOf,
  fitsIdentifier,
  hasEmployerId,
  misfitOfAddress,
  subjectOf,
  weighEvidence,
} from './evidence.ts';
export { hostOf, useOwnAddresses } from './host.ts';
export { IDENTIFYING_PROPERTIES, WATCHED_PROPERTIES } from './identifying-properties.ts';
export { phoneKey, toE164 } from './phone-number.ts';
export {
  isCompanyPageUrl,
  isDomain,
  isEmailAddress,
  isPersonProfileUrl,
  isPhoneNumber,
  isProfileUrl,
} from './plausible-forms.ts';
export {
  addressesOf,
  businessAddressOf,
  companyDomain,
  companyDomainOf,
  mailAddress,
  mailOf,
  normalIdentity,
  ownDomainOf,
  pageOf,
  phoneOf,
  standsInOtherName,
  textOf,
} from './record-identity.ts';
export { isFreeMailDomain } from './shared-addresses.ts';
export { type Cleaned, foldText, wordsOf } from './texts.ts';
export {
  addressKey,
  profileKey,
  profileUrl,
  registrableDomain,
  toDomain,
  toUrl,
} from './web-address.ts';
