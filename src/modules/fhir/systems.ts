// The names of code systems and extensions. Those of Rounds are URNs: a deployment has no address of its own that all others
// know.
export const LOINC = 'http://loinc.org'
export const UCUM = 'http://unitsofmeasure.org'
export const SNOMED = 'http://snomed.info/sct'
export const OBSERVATION_CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category'
export const LANGUAGE = 'urn:ietf:bcp:47'
export const URI = 'urn:ietf:rfc:3986'
export const IDENTIFIER_TYPE = 'http://terminology.hl7.org/CodeSystem/v2-0203'

/** `readingType`, the names of other fields, kinds of sources, severities, specialities, and patients whose id is none of FHIR's. */
export const READING_TYPE = 'urn:rounds:reading-type'
export const FIELD = 'urn:rounds:field'
export const SOURCE_KIND = 'urn:rounds:source-kind'
export const SEVERITY = 'urn:rounds:severity'
export const SPECIALITY = 'urn:rounds:speciality'
export const PATIENT = 'urn:rounds:patient'
export const REGISTRATION = 'urn:rounds:registration-number'

/** The number that was sent as `timestamp`, where the date alone would come back as another. */
export const SENT_TIMESTAMP = 'urn:rounds:sent-timestamp'
/** Fields for which FHIR has no type, as the text of a JSON object. */
export const OTHER_FIELDS = 'urn:rounds:other-fields'
/** A gender that is none of FHIR's four, as the directory has it. */
export const GENDER = 'urn:rounds:gender'
