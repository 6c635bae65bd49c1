// Patients and the digits of their slots, by `printf %s ID | md5sum`.
export const SLOTS_BY_HAND: [patientUid: string, digits: string][] = [
  ['patient-1', 'fb7'],
  ['patient-2', '5c3'],
  ['Ärztin-7', 'f76'],
  ['患者-42', '66c'],
  ['👩‍⚕️', '1d2'],
  ['0', 'cfc'],
  ['a b', '0cc'],
]
