// Symptoms, by HL7's guide for them (FHIR R4 Symptoms 1.0.0): the symptom is the value and its severity a component. The
// guide has one symptom in an Observation; a reading may have a hundred. One of several is a component whose code names the
// symptom and whose value is the severity, so that a reading stays one Observation and comes back as the same reading.
import type { CodeableConcept, Component } from '../resources.ts'
import { FIELD, LOINC, SEVERITY, SNOMED } from '../systems.ts'
import { codeIn } from './codings.ts'
import { isFhirText, otherFieldsExtension } from './other-fields.ts'
import { SEVERITY_LOINC, SYMPTOM_LOINC } from './type-mapping.ts'

/** Severities that SNOMED CT has a code for. */
const SNOMED_OF_SEVERITY: Readonly<Record<string, string>> = {
  MILD: '255604002',
  MODERATE: '6736007',
  SEVERE: '24484000',
}

/** How components are named that belong to `symptoms`: the severity of a single one, or one of several. */
export const SEVERITY_FIELD = 'symptoms/severity'
export const symptomName = (index: number) => `symptoms/${index}`
export const isSymptomName = (name: string) => name.startsWith('symptoms/')

type Symptom = Readonly<Record<string, unknown>> & { symptom: string; severity: string }

/**
 * The symptoms of a reading as FHIR; undefined where one of them is not as `readings/add` wants it, or has a text that FHIR
 * does not allow.
 */
export function writeSymptoms(
  symptoms: unknown,
): { valueCodeableConcept?: CodeableConcept; component: Component[] } | undefined {
  if (!Array.isArray(symptoms) || symptoms.length === 0 || !symptoms.every(isSymptom)) return undefined
  const [first, ...others] = symptoms
  if (first && others.length === 0) {
    return {
      valueCodeableConcept: { text: first.symptom },
      component: [withRest(first, { coding: [{ system: LOINC, code: SEVERITY_LOINC }] })],
    }
  }
  return {
    component: symptoms.map((symptom) =>
      withRest(symptom, {
        coding: [
          { system: LOINC, code: SYMPTOM_LOINC },
          { system: FIELD, code: 'symptom' },
        ],
        text: symptom.symptom,
      }),
    ),
  }
}

function isSymptom(value: unknown): value is Symptom {
  const { symptom, severity }: { symptom?: unknown; severity?: unknown } = Object(value)
  return isFhirText(symptom) && typeof severity === 'string' && /^[A-Z][A-Z0-9_]{0,31}$/.test(severity)
}

function withRest(symptom: Symptom, code: CodeableConcept): Component {
  const fields = Object.entries(symptom).filter(([name]) => name !== 'symptom' && name !== 'severity')
  return {
    ...(fields.length === 0 ? {} : { extension: [otherFieldsExtension(fields)] }),
    code,
    valueCodeableConcept: severityConcept(symptom.severity),
  }
}

function severityConcept(severity: string): CodeableConcept {
  const code = SNOMED_OF_SEVERITY[severity]
  return {
    coding: [...(code ? [{ system: SNOMED, code }] : []), { system: SEVERITY, code: severity }],
  }
}

/** The label of a severity; undefined where the concept has none that is known. */
export function severityFrom(concept: unknown): unknown {
  const own = codeIn(concept, SEVERITY)
  if (own !== undefined) return own
  const snomed = codeIn(concept, SNOMED)
  return Object.keys(SNOMED_OF_SEVERITY).find((label) => SNOMED_OF_SEVERITY[label] === snomed)
}
