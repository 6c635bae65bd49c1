// The readings of the reference pages, as they are sent.

export const EXAMPLE_SYMPTOM = {
  patientUid: 'patient-1',
  readingType: 'symptom',
  symptoms: [{ symptom: 'headache', severity: 'MODERATE' }],
  timestamp: 1_762_000_000_000,
}

export const EXAMPLE_HEART_RATE = {
  patientUid: 'patient-1',
  readingType: 'heartRate',
  value: 72,
  timestamp: 1_762_000_060_000,
}
