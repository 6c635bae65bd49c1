// Elements that were kept in the field `fhir` of a reading. They come back before what Rounds adds itself; codes and categories
// behind ours.
import {
  checkFhirElements,
  type FhirConcept,
  type FhirElements,
} from '../../casesheet/fhir-elements/fhir-elements.ts'

/** Takes the kept elements out of the fields of a reading. An earlier release may have stored a field of this name with another shape. */
export function takeKept(left: Map<string, unknown>): FhirElements {
  const fhir = left.get('fhir')
  if (fhir === undefined || checkFhirElements(fhir, left.get('source')).length > 0) return {}
  left.delete('fhir')
  return fhir as FhirElements
}

/** A method that was kept, with the kind of the source. Words of a sender stand beside its code, which then has its own as a display. */
export function bothMethods(
  kept: FhirConcept | undefined,
  own: FhirConcept | undefined,
): FhirConcept | undefined {
  if (!kept || !own) return kept ?? own
  const isText = kept.text !== undefined && !kept.coding
  const ownCoding = (own.coding ?? []).map((coding) =>
    isText && own.text !== undefined ? { ...coding, display: own.text } : coding,
  )
  return { ...kept, coding: [...(kept.coding ?? []), ...ownCoding] }
}
