export { domainsInAnswer, employerDomains, employerOf, hasEmployerId, subjectOf } from './answer-facts.ts';
export {
  cleanCompanyDomain,
  cleanEmail,
  cleanHost,
  cleanPageUrl,
  cleanPhone,
  cleanPictureUrl,
  cleanProfileUrl,
  cleanUrl,
  cleanWebsite,
} from './clean/clean-addresses.ts';
export {
  cleanAmount,
  cleanCurrency,
  cleanDay,
  cleanEmployeeRange,
  cleanHeadCount,
  cleanId,
  cleanPastYear,
  cleanPostalCode,
} from './clean/clean-facts.ts';
export {
  cleanCity,
  cleanCompanyName,
  cleanParagraphs,
  cleanPersonName,
  cleanPlace,
  cleanText,
  cleanTitle,
} from './clean/clean-texts.ts';
export type { Cleaned } from './clean/cleaned.ts';
export { countryCode, countryName, countrySpellings, hasStateCodes, stateCode } from './countries.ts';
export { type AddressMisfit, fitsIdentifier, misfitOfAddress, weighEvidence } from './evidence.ts';
export { foldText, wordsOf } from './fold.ts';
export { hostOf } from './host.ts';
export { IDENTIFYING_PROPERTIES, WATCHED_PROPERTIES } from './identifying-properties.ts';
export { useOwnAddresses } from './own-addresses.ts';
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
export {
  addressKey,
  profileKey,
  profileUrl,
  registrableDomain,
  toDomain,
  toUrl,
} from './web-address.ts';
