// The parts of FHIR R4 that are written here, as narrow as they are used.
import type { FhirConcept, FhirElements } from '../casesheet/fhir-elements/fhir-elements.ts'

export type Extension = {
  url: string
  valueString?: string
  valueDecimal?: number
  valueInteger?: number
  valueReference?: Reference
}

export type Coding = { system: string; code: string; display?: string }

export type CodeableConcept = { coding?: Coding[]; text?: string }

export type Quantity = { value: number; unit?: string; system?: string; code?: string }

export type Reference = {
  reference?: string
  type?: string
  identifier?: { type?: CodeableConcept; system?: string; value: string }
  display?: string
}

export type Device = {
  resourceType: 'Device'
  id: string
  status?: 'active'
  manufacturer?: string
  serialNumber?: string
  deviceName: { name: string; type: 'user-friendly-name' }[]
  modelNumber?: string
  version?: { value: string }[]
  patient?: Reference
}

type Primitive = { extension: Extension[] }

export type Component = {
  extension?: Extension[]
  code: CodeableConcept
  valueQuantity?: Quantity
  valueCodeableConcept?: CodeableConcept
  valueString?: string
  valueBoolean?: boolean
}

export type Effective =
  | { effectiveDateTime: string; _effectiveDateTime?: Primitive }
  | { effectivePeriod: { start: string; _start?: Primitive; end: string; _end?: Primitive } }

export type Observation = Omit<FhirElements, 'code'> & {
  resourceType: 'Observation'
  id?: string
  meta?: { lastUpdated?: string; profile?: string[] }
  contained?: Device[]
  status: 'final' | 'entered-in-error'
  code: FhirConcept
  subject: Reference
  effectiveDateTime?: string
  _effectiveDateTime?: Primitive
  effectivePeriod?: { start: string; _start?: Primitive; end: string; _end?: Primitive }
  valueQuantity?: Quantity
  valueCodeableConcept?: CodeableConcept
  valueString?: string
  component?: Component[]
}
