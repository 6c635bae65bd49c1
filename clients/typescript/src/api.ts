// Made from the OpenAPI document by `npm run generate:client`. Do not edit.
export interface components {
  schemas: {
    /** @description One request for the data of a patient. */
    Access: {
      /**
       * @description Why the read was allowed. patient: the token names the patient. grant: the patient shares with the doctor. staff: the token has the staff scope. operator: an operator of the service exported the data of the patient. service: the token has the scope for following changes.
       * @enum {string}
       */
      allowedAs: 'patient' | 'grant' | 'staff' | 'operator' | 'service'
      /**
       * Format: date-time
       * @description When the answer began, in UTC.
       */
      at: string
      /** @description The reading that the request has withdrawn or restored; left out if it changed nothing. */
      correction?: {
        /** @enum {string} */
        action: 'withdraw' | 'restore'
        /**
         * Format: date-time
         * @description When the reading was measured, in UTC.
         */
        measuredAt: string
        /** Format: uuid */
        readingId: string
        readingType: string
        /** @description Why it was withdrawn. */
        reason: string | null
      }
      /** @description The doctor with whom the patient shares; of grant only. */
      doctorId?: string
      /**
       * Format: date-time
       * @description Start of the range; null if it was open.
       */
      from: string | null
      /** @description The operation, such as readings/get. */
      operation: string
      /** @description The subject of the token. */
      readBy: string
      /** @description Number of readings sent; the number so far while the answer is still being sent. A page that was read again after a lost database connection counts twice. For readings/withdraw and readings/restore: 1 if there is such a reading. */
      readingsCount: number
      /** @description Requested reading types; null for all. */
      readingTypes: string[] | null
      /** @description Why staff read; left out if no reason was given. */
      reason?: string
      /** @description The x-request-id of the answer. */
      requestId: string
      /**
       * Format: date-time
       * @description End of the range; null if it was open.
       */
      to: string | null
    }
    ActiveEnergyReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'activeEnergy'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      startedAt?: number
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, kcal is meant.
       * @enum {string}
       */
      unit?: 'kcal'
      /** @description Possible: 0 to 50000 kcal. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description Committed. */
    AddAnswer: {
      /** @enum {string} */
      code: 'Ok'
      message: string
    }
    /** @description What became of one reading. */
    AddVerdict:
      | {
          /** Format: uuid */
          readingId: string
          /**
           * @description stored: by this request. duplicate: it was there already, or stands earlier in this list; also where the service had to repeat its own statement. Both mean committed, and no reading is called stored twice.
           * @enum {string}
           */
          verdict: 'stored' | 'duplicate'
          /** @description What deserves a second look, if anything: Implausible (a number outside the plausible range of its type), Before2000 or AheadOfNow (by more than a minute). The reading is stored as sent. Beyond each reading's first, warnings and errors of an answer are at most 1,000. */
          warnings?: {
            /** @enum {string} */
            code: 'Implausible' | 'Before2000' | 'AheadOfNow'
            /** @description A sentence for people. It never carries personal data. */
            message: string
            /** @description JSON Pointer into this reading. */
            pointer: string
          }[]
        }
      | {
          /** @enum {string} */
          code:
            | 'ValidationFailed'
            | 'MalformedJson'
            | 'InvalidRange'
            | 'InvalidCursor'
            | 'TokenMissing'
            | 'TokenInvalid'
            | 'TokenExpired'
            | 'PatientMismatch'
            | 'PatientNotInToken'
            | 'ScopeMissing'
            | 'ReasonRequired'
            | 'PatientErased'
            | 'NotShared'
            | 'NotADoctor'
            | 'ManageRequired'
            | 'NotFound'
            | 'ReadingNotFound'
            | 'EndpointNotFound'
            | 'TargetUnknown'
            | 'RuleUnknown'
            | 'AlertUnknown'
            | 'ReviewUnknown'
            | 'MethodNotAllowed'
            | 'RequestTimeout'
            | 'EndpointExists'
            | 'ReviewExists'
            | 'TooLate'
            | 'RuleExists'
            | 'TooManyRules'
            | 'AlertsAreOff'
            | 'CursorExpired'
            | 'BodyTooLarge'
            | 'UnsupportedMediaType'
            | 'MisdirectedRequest'
            | 'UnknownDoctor'
            | 'TooManyGrants'
            | 'TooManyEndpoints'
            | 'RateLimited'
            | 'HeadersTooLarge'
            | 'InternalError'
            | 'Overloaded'
            | 'DatabaseUnavailable'
            | 'IssuerUnavailable'
          errors?: {
            message: string
            /** @description JSON Pointer into this reading. At most 20 errors of each reading, and beyond the first of each 1,000 in the answer. */
            pointer: string
          }[]
          /** @description A sentence for people. It never carries personal data. */
          message: string
          /** @description Whether this reading may be accepted later, unchanged. */
          retryable: boolean
          /** @enum {string} */
          verdict: 'rejected'
        }
    AddVerdicts: {
      /** @enum {string} */
      code: 'Ok'
      /** @description One for each reading, in the order sent. */
      data: components['schemas']['AddVerdict'][]
      message: string
    }
    /** @description A span of time in which a rule holds for the readings of a patient. */
    Alert: {
      /** @description Who has seen it; null for nobody. */
      acknowledged: {
        /**
         * Format: date-time
         * @description When that was, in UTC.
         */
        at: string
        /** @description The name, or the subject of the token where no name is known. */
        by: string
        /** @description The worst value then. A worse one opens the alert again. */
        value: number | null
      } | null
      /** @description Id of the alert, as alerts/list gives it. */
      alertId: string
      /**
       * Format: date-time
       * @description When it ended, in UTC; null while it is open.
       */
      endedAt: string | null
      /** @description values: a reading ended it. symptomOver: 72 hours after the last one. ruleChanged, ruleRemoved: by its author. grantEnded: the patient no longer shares it with the author. withdrawn: the readings that held it were. Null while it is open. */
      endedBecause:
        | ('values' | 'symptomOver' | 'ruleChanged' | 'ruleRemoved' | 'grantEnded' | 'withdrawn')
        | null
      /** @description The field that the rule looks at; null for missing and symptom. */
      field: string | null
      /** @description Its readings arrived more than 24 hours after they were measured, so nobody is told. */
      isLate: boolean
      /**
       * @description What its rule watches for.
       * @enum {string}
       */
      kind: 'value' | 'change' | 'missing' | 'symptom'
      /** @description What its rule is called; null for nothing. */
      label: string | null
      /** @description What its rule compares with; null for missing and symptom. */
      limit: number | null
      /** @description The newest reading that its rule looked at; null for none. */
      newest: {
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        /**
         * @description What a sensor marked instead of a value.
         * @enum {string}
         */
        outOfRange?: 'low' | 'high'
        /** Format: uuid */
        readingId: string
        /**
         * Format: date-time
         * @description When it arrived, in UTC.
         */
        receivedAt: string
        /** @description Of the symptom, as it was sent. */
        severity?: string
        symptom?: string
        /** @description Its unit, in UCUM. */
        unit: string | null
        /** @description In the unit of the rule; for a change, by how much it rose or fell. Null without a number. */
        value: number | null
      } | null
      /**
       * Format: date-time
       * @description When Rounds opened it, in UTC.
       */
      openedAt: string
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description The type of its readings. */
      readingType: string
      /** Format: uuid */
      ruleId: string
      /** @description The webhook endpoints that are told. Empty: nobody is, and no receiver is set up. */
      sentTo: {
        /**
         * Format: date-time
         * @description When that was.
         */
        at: string
        /** Format: uuid */
        endpointId: string
        /** @description What the endpoint was called then. */
        name: string
        /**
         * @description failed: the last attempt did.
         * @enum {string}
         */
        state: 'waiting' | 'accepted' | 'failed'
      }[]
      /**
       * @description urgent: for now. warning: for this week.
       * @enum {string}
       */
      severity: 'urgent' | 'warning'
      /** @description The name under which the patient shares; in the list of a doctor only. */
      sharedAs?: string | null
      /**
       * @description open: its rule holds. acknowledged: it holds, and a doctor has seen it. ended: see endedBecause.
       * @enum {string}
       */
      state: 'open' | 'acknowledged' | 'ended'
      /** @description One sentence. */
      why: string
      /** @description The worst reading since it opened; where readings are missing, the last one before, if any. */
      worst: {
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        /**
         * @description What a sensor marked instead of a value.
         * @enum {string}
         */
        outOfRange?: 'low' | 'high'
        /** Format: uuid */
        readingId: string
        /**
         * Format: date-time
         * @description When it arrived, in UTC.
         */
        receivedAt: string
        /** @description Of the symptom, as it was sent. */
        severity?: string
        symptom?: string
        /** @description Its unit, in UCUM. */
        unit: string | null
        /** @description In the unit of the rule; for a change, by how much it rose or fell. Null without a number. */
        value: number | null
      } | null
    }
    /** @description Attempts of one minute to deliver to an endpoint, with one outcome. */
    Attempt: {
      /**
       * Format: date-time
       * @description The minute in which the attempts ended, or when the page was skipped, in UTC.
       */
      at: string
      /** @description How many there were. */
      attempts: number
      /** @description How many bytes were sent, together. */
      bytes: number
      /** @description How many changes they held, together. */
      changes: number
      /** @description Why they failed, in one word: timeout, refused, dns, tls, address (not allowed), redirect, closed, status or key (the secret was stored under another WEBHOOK_KEY); null if they did not. */
      error: string | null
      /** @description The type of the messages; of the skipped page, where one was skipped. */
      event: string
      /** @description webhook-id of the last of them; of the skipped page, where one was skipped. */
      lastMessageId: string
      /** @description How long the longest of them took. */
      longestMs: number
      /** @enum {string} */
      outcome: 'delivered' | 'failed' | 'skipped'
      /** @description Of a page that endpoints/skip passed. */
      skipped?: {
        /** @description The position behind which the page began: a transaction and an id. */
        after: string
        /** @description The subject of the token, or who ran the command. */
        by: string
        /** @description The position of its last change. */
        upTo: string
      }
      /** @description The HTTP status of the answers; null if there was none. */
      status: number | null
    }
    BloodGlucoseReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description As the device has it. */
      mealContext?: string | number | boolean
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bloodGlucose'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description As the device has it. */
      specimen?: string | number | boolean
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'mmol/L' | 'mg/dL'
      /** @description Possible: 0 to 55 mmol/L, or 0 to 990.86 mg/dL. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BloodKetoneReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bloodKetone'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, mmol/L is meant.
       * @enum {string}
       */
      unit?: 'mmol/L'
      /** @description Possible: 0 to 10 mmol/L. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BloodPressureReading: {
      /** @description Possible: 10 to 250 mm[Hg]. It is below systolic. */
      diastolic: number
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description As the device has it. */
      position?: string | number | boolean
      /** @description Possible: 1 to 350 /min. */
      pulse?: number
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bloodPressure'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description As the device has it. */
      site?: string | number | boolean
      source?: components['schemas']['ReadingSource']
      /** @description Possible: 20 to 350 mm[Hg]. */
      systolic: number
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, mm[Hg] is meant.
       * @enum {string}
       */
      unit?: 'mm[Hg]'
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BloodPressureReport: {
      /** @description What counts as evening, on the local clock. A reading after midnight is of the evening of the day before. */
      evening: {
        before: string
        from: string
      }
      /** @description The reading with the highest systolic value; the first one of several. */
      highest: {
        diastolic: number
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        systolic: number
      } | null
      /** @description The reading with the lowest systolic value; the first one of several. */
      lowest: {
        diastolic: number
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        systolic: number
      } | null
      /** @description What counts as morning, on the local clock. */
      morning: {
        before: string
        from: string
      }
      /** @description The last 7 days, the last 30 days, and the whole range. */
      periods: {
        /** @description All readings, those of middays too. */
        all: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
        /** @description How many days the period has, the last of which is that of to; null for the whole range. */
        days: number | null
        /** @description Readings of evenings. */
        evening: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
        /**
         * Format: date
         * @description Its first local date, or that of the range where that is later.
         */
        from: string
        /** @description How many readings are in target; null if the target has no range of systolic or diastolic. */
        inTarget: {
          /** @description How many of them are in both ranges. */
          in: number
          /** @description Number of readings that were compared with the target. */
          judged: number
        } | null
        /** @description Readings of mornings. */
        morning: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
        /**
         * Format: date
         * @description Its last local date.
         */
        to: string
        /** @description All readings but those of the first day that has any, which protocols of home measurement leave out. */
        withoutFirstDay: {
          /** @description Number of readings. */
          count: number
          /** @description Mean in mm[Hg]; null if there are no readings. */
          diastolic: number | null
          /** @description Mean per minute, of the readings that have one; null if none has. */
          pulse: number | null
          /** @description Mean in mm[Hg]; null if there are no readings. */
          systolic: number | null
        }
      }[]
      /** @description Number of readings with a systolic and a diastolic value. */
      readings: number
      /** @description The target that judges for the caller (see targets/list), if it has a range; else null. */
      target: components['schemas']['Target'] | null
    }
    BodyFatReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyFat'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, % is meant.
       * @enum {string}
       */
      unit?: '%'
      /** @description Possible: 0 to 100 %. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BodyHeightReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyHeight'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'cm' | '[in_i]'
      /** @description Possible: 10 to 300 cm, or 3.93 to 118.12 [in_i]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BodyMassIndexReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyMassIndex'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, kg/m2 is meant.
       * @enum {string}
       */
      unit?: 'kg/m2'
      /** @description Possible: 5 to 200 kg/m2. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BodyTemperatureReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyTemperature'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description As the device has it. */
      site?: string | number | boolean
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'Cel' | '[degF]'
      /** @description Possible: 20 to 46 Cel, or 68 to 114.8 [degF]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    BodyWeightReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'bodyWeight'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'kg' | 'g' | '[lb_av]'
      /** @description Possible: 0.2 to 700 kg, or 200 to 700000 g, or 0.44 to 1543.24 [lb_av]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A reading of a type that is checked: `readingType` says which. */
    CatalogueReading:
      | components['schemas']['SymptomReading']
      | components['schemas']['NoteReading']
      | components['schemas']['HeartRateReading']
      | components['schemas']['RestingHeartRateReading']
      | components['schemas']['BloodPressureReading']
      | components['schemas']['MeanArterialPressureReading']
      | components['schemas']['OxygenSaturationReading']
      | components['schemas']['BodyTemperatureReading']
      | components['schemas']['RespiratoryRateReading']
      | components['schemas']['BloodGlucoseReading']
      | components['schemas']['InterstitialGlucoseReading']
      | components['schemas']['BloodKetoneReading']
      | components['schemas']['BodyWeightReading']
      | components['schemas']['BodyHeightReading']
      | components['schemas']['BodyMassIndexReading']
      | components['schemas']['HeadCircumferenceReading']
      | components['schemas']['BodyFatReading']
      | components['schemas']['WaistCircumferenceReading']
      | components['schemas']['StepCountReading']
      | components['schemas']['ActiveEnergyReading']
      | components['schemas']['HeartRateVariabilitySdnnReading']
      | components['schemas']['HeartRateVariabilityRmssdReading']
      | components['schemas']['PeakExpiratoryFlowReading']
      | components['schemas']['Fev1Reading']
      | components['schemas']['ForcedVitalCapacityReading']
      | components['schemas']['SleepReading']
      | components['schemas']['PainScoreReading']
    Change:
      | {
          reading: components['schemas']['StoredReading']
          /** @enum {string} */
          state: 'present' | 'withdrawn'
        }
      | {
          /** Format: date-time */
          erasedAt: string
          /** @description The patient whose readings are to be removed; null once the time for announcing it is over. */
          patientUid: string | null
          /** @enum {string} */
          state: 'erased'
        }
    DaysWithDataReport: {
      /** @description All days of the range, in order. */
      dates: {
        /**
         * Format: date
         * @description The local date.
         */
        date: string
        /** @description How many of them have a source of kind device. */
        fromDevices: number
        readings: number
      }[]
      /** @description Number of local days of the range. */
      days: number
      /** @description On how many of them something was measured. */
      daysWithData: number
      /** @description On how many of them a device has measured something. */
      daysWithDeviceData: number
    }
    Doctor: {
      city: string | null
      /**
       * Format: date-time
       * @description UTC, with milliseconds.
       */
      created: string
      /** @description Unique id of the doctor. */
      doctorId: string
      experienceYears: number | null
      gender: string | null
      isActive: boolean
      /** @description BCP 47 language tags. */
      languages: string[]
      name: string
      /** @description An http(s) address. */
      photoUrl: string | null
      qualifications: string[]
      /** @description As given by the medical council; unique. */
      registrationNumber: string | null
      /** @description Main speciality first. */
      specialities: {
        specialityId: string
        title: string
      }[]
    }
    /** @description A system that is called with changes. */
    Endpoint: {
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      addedAt: string
      /** @description Who added it: the subject of the token. */
      addedBy: string
      /**
       * Format: date-time
       * @description Since when changes wait to be delivered; null if none do, and while it is paused by endpoints/pause.
       */
      behindSince: string | null
      /** @description What it is for. */
      description?: string
      /** @description Id of the endpoint, as endpoints/add gave it. */
      endpointId: string
      /** @description readings.changed: readings that were added, withdrawn or restored. patient.erased: patients whose data was erased. grant.changed: what patients share with doctors. alert.…: what becomes of alerts, where they are switched on. The first three if it is left out. */
      events: (
        | 'readings.changed'
        | 'patient.erased'
        | 'grant.changed'
        | 'alert.opened'
        | 'alert.reopened'
        | 'alert.acknowledged'
        | 'alert.ended'
      )[]
      /**
       * Format: date-time
       * @description When the first of these failures was.
       */
      failingSince?: string
      /** @description Attempts that failed since the last one that did not. */
      failures: number
      /**
       * Format: date-time
       * @description When the next attempt is due, after a failure.
       */
      nextAttemptAt?: string
      /** @description Only changes of these patients. All patients if it is left out; none if it is empty, because all were erased. */
      patientUids?: string[]
      /**
       * @description asked: endpoints/pause was called. gone: the receiver answered 410.
       * @enum {string}
       */
      pausedBecause?: 'asked' | 'gone'
      /**
       * Format: date-time
       * @description Until when messages are also signed with the secret before.
       */
      previousSecretUntil?: string
      /** @description Only readings and alerts of these types. All types if it is left out. */
      readingTypes?: string[]
      /** @description How often the endpoint was set back to an earlier change. */
      replays: number
      /** @enum {string} */
      state: 'active' | 'paused'
      /** @description Whether messages name what changed without its content. */
      thin: boolean
      /**
       * Format: uri
       * @description The address that is called.
       */
      url: string
    }
    Error: {
      /** @enum {string} */
      code:
        | 'ValidationFailed'
        | 'MalformedJson'
        | 'InvalidRange'
        | 'InvalidCursor'
        | 'TokenMissing'
        | 'TokenInvalid'
        | 'TokenExpired'
        | 'PatientMismatch'
        | 'PatientNotInToken'
        | 'ScopeMissing'
        | 'ReasonRequired'
        | 'PatientErased'
        | 'NotShared'
        | 'NotADoctor'
        | 'ManageRequired'
        | 'NotFound'
        | 'ReadingNotFound'
        | 'EndpointNotFound'
        | 'TargetUnknown'
        | 'RuleUnknown'
        | 'AlertUnknown'
        | 'ReviewUnknown'
        | 'MethodNotAllowed'
        | 'RequestTimeout'
        | 'EndpointExists'
        | 'ReviewExists'
        | 'TooLate'
        | 'RuleExists'
        | 'TooManyRules'
        | 'AlertsAreOff'
        | 'CursorExpired'
        | 'BodyTooLarge'
        | 'UnsupportedMediaType'
        | 'MisdirectedRequest'
        | 'UnknownDoctor'
        | 'TooManyGrants'
        | 'TooManyEndpoints'
        | 'RateLimited'
        | 'HeadersTooLarge'
        | 'InternalError'
        | 'Overloaded'
        | 'DatabaseUnavailable'
        | 'IssuerUnavailable'
        | 'TlsRequired'
        | 'ServerUnavailable'
      errors?: {
        message: string
        /** @description JSON Pointer to the field; query parameters as /name. */
        pointer: string
      }[]
      /** @description A sentence for people. It never carries personal data. */
      message: string
      /** @description Where a body that cannot be read as JSON without loss is at fault. */
      position?: {
        /** @description Number of bytes before the fault. */
        byte: number
        /** @description In characters. */
        column: number
        line: number
      }
      /** @description The x-request-id of this answer, to quote when asking for help. */
      requestId: string
      /** @description Whether the same request may succeed later, unchanged. */
      retryable: boolean
      /** @enum {string} */
      status: 'error'
    }
    Fev1Reading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'fev1'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, L is meant.
       * @enum {string}
       */
      unit?: 'L'
      /** @description Possible: 0 to 10 L. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    ForcedVitalCapacityReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'forcedVitalCapacity'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, L is meant.
       * @enum {string}
       */
      unit?: 'L'
      /** @description Possible: 0 to 12 L. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    GlucoseReport: {
      active: {
        /** @description For how long the sensor was active: a value stands until the next one, at most 20 minutes and never beyond its UTC day. */
        seconds: number
        /** @description Of the range, as far as it has passed; null if nothing has. */
        share: number | null
      }
      bands: {
        /** @description Where the band begins; null for the lowest. Low and target include it, high and veryHigh do not. */
        from: number | null
        /** @enum {string} */
        name: 'veryLow' | 'low' | 'target' | 'high' | 'veryHigh'
        readings: number
        /** @description For how long values stood in the band. */
        seconds: number
        /** @description Of the time for which values stood, from 0 to 1; null if none stood. */
        share: number | null
        /** @description Where it ends; null for the highest. Target and high include it, veryLow and low do not. */
        to: number | null
      }[]
      /**
       * @description Whether the middle band is the range of the target, or that of the consensus, as there is none.
       * @enum {string}
       */
      bandsFrom: 'target' | 'consensus'
      /** @description standardDeviation / mean: 0.36 is 36 %, below which the consensus calls glucose stable. */
      coefficientOfVariation: number | null
      /** @description Number of local days of the range. */
      days: number
      /** @description Glucose management indicator in percent: 3.31 + 0.02392 × mean in mg/dL (Bergenstal 2018, doi 10.2337/dc18-1581). Null unless isEnough. */
      gmi: number | null
      /** @description The highest value; the first one of several. */
      highest: {
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        value: number
      } | null
      /** @description Whether the range has at least 14 days, and the sensor was active for 70 % of it and of 14 days. */
      isEnough: boolean
      /** @description The lowest value; the first one of several. */
      lowest: {
        /**
         * Format: date-time
         * @description When it was measured, in UTC.
         */
        measuredAt: string
        value: number
      } | null
      /** @description Mean of all values, each weighted by the time for which it stood; null if none stood. */
      mean: number | null
      /** @description The 48 half hours of the local day. */
      profile: {
        /** @description Number of readings, of all days. */
        count: number
        /** @description Where it begins, in minutes after midnight on the local clock. */
        minute: number
        /** @description Interpolated between two values; null if there is no reading. */
        p5: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p25: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p50: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p75: number | null
        /** @description Interpolated between two values; null if there is no reading. */
        p95: number | null
      }[]
      /** @description Number of readings with a value. */
      readings: number
      source: {
        title: string
        /** Format: uri */
        url: string
        year: number
      }
      /** @description Of the sample (n − 1), weighted as the mean is. */
      standardDeviation: number | null
      /** @description The target that judges for the caller (see targets/list), if it has a range; else null. */
      target: components['schemas']['Target'] | null
      /**
       * @description Of every value in the report.
       * @enum {string}
       */
      unit: 'mmol/L' | 'mg/dL'
    }
    /** @description What a patient shares with a doctor. */
    Grant: {
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      changedAt: string
      /** @description Who gave, changed or revoked it: the subject of the token. `the doctor left the directory` where an import of the directory ended it. */
      changedBy: string
      /** @description How this doctor may reach the patient; null if nothing was given. */
      contact: string | null
      /** @description Unique id of the doctor, as doctors/list gave it. */
      doctorId: string
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /** @enum {string} */
      state: 'given' | 'revoked' | 'expired'
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    /** @description What was done with a grant, and what it said from then on, or until it was revoked. */
    GrantChange: {
      /** @enum {string} */
      action: 'give' | 'change' | 'revoke'
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      at: string
      /** @description Who did it: the subject of the token. `the doctor left the directory` where an import of the directory ended it. */
      by: string
      /** @description How this doctor may reach the patient; null if nothing was given. */
      contact: string | null
      /** @description Unique id of the doctor, as doctors/list gave it. */
      doctorId: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    HeadCircumferenceReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'headCircumference'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, cm is meant.
       * @enum {string}
       */
      unit?: 'cm'
      /** @description Possible: 10 to 100 cm. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    HeartRateReading: {
      /** @description As the device has it. */
      context?: string | number | boolean
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'heartRate'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, /min is meant.
       * @enum {string}
       */
      unit?: '/min'
      /** @description Possible: 1 to 350 /min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    HeartRateVariabilityRmssdReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'heartRateVariabilityRmssd'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, ms is meant.
       * @enum {string}
       */
      unit?: 'ms'
      /** @description Possible: 0 to 1000 ms. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    HeartRateVariabilitySdnnReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'heartRateVariabilitySdnn'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, ms is meant.
       * @enum {string}
       */
      unit?: 'ms'
      /** @description Possible: 0 to 1000 ms. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    InterstitialGlucoseReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @enum {string} */
      outOfRange?: 'low' | 'high'
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'interstitialGlucose'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /** @description As the device has it. */
      trend?: string | number | boolean
      /**
       * @description In UCUM.
       * @enum {string}
       */
      unit: 'mmol/L' | 'mg/dL'
      /** @description Possible: 0 to 55 mmol/L, or 0 to 990.86 mg/dL. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A patient who shares readings with the doctor, and why somebody should look. */
    ListedPatient: {
      /** @description How this doctor may reach the patient; null if nothing was given. */
      contact: string | null
      /** @description On how many of the last 30 UTC days there is a reading. */
      daysWithData: number
      /** @description The last look of this doctor, or, where the patient shares all types, of a colleague in a practice; null if there is none. */
      lastLook: {
        /**
         * Format: date-time
         * @description When that was, in UTC.
         */
        at: string
        /** @description Who looked. */
        by: string
        /** @description Null without one. */
        note: string | null
      } | null
      /** @description What a look at this entry sends back as it is: see reviews/add. */
      look: {
        /** @description The keys of all else that is shown. */
        saw: string[]
        /** @description The readings that were judged so far. */
        seenUpTo: string
      }
      /** @description The pending date; null if there is none. */
      lookAgainAt: string | null
      /** @description The newest reading of each type of the catalogue, that of the trend first. */
      newest: {
        /**
         * Format: date-time
         * @description In UTC.
         */
        measuredAt: string
        /** @description A type of the catalogue. */
        readingType: string
        /**
         * Format: date-time
         * @description When it arrived, in UTC.
         */
        receivedAt: string
        /** @description As it was sent; null where the type has one unit. */
        unit: string | null
        /** @description The numbers, by their fields. */
        values: {
          [key: string]: number
        }
      }[]
      /** @description What was not judged, beside every queue. */
      notJudged: {
        /** @description Of tooFew: values there are; of a sensor, hours. */
        have?: number
        /** @description How many are needed. */
        need?: number
        /** @description A type of the catalogue. */
        readingType?: string
        /**
         * @description Why.
         * @enum {string}
         */
        why: 'noTarget' | 'tooFew' | 'noGoals' | 'noActLimits'
      }[]
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /**
       * @description The first that fits. actNow: somebody is needed now. thisWeek: within a week. silent: readings stopped. seen: reasons, all seen, or a date to look again that is to come. fine: no reason, and at least one target judged in full. notJudged: no target was judged.
       * @enum {string}
       */
      queue: 'actNow' | 'thisWeek' | 'silent' | 'seen' | 'fine' | 'notJudged'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description All of them, the one that decides the queue first. */
      reasons: (
        | {
            /** @description Alerts on the same reading. */
            alerts: {
              /**
               * Format: uuid
               * @description The alert.
               */
              alertId: string
              /** @description What its rule says. */
              label: string
            }[]
            /**
             * @description A symptom.
             * @enum {string}
             */
            code: 'severe' | 'moderate'
            /** @description Urgent, older than 72 hours, and no such look covers it. */
            isLate: boolean
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /**
             * Format: date-time
             * @description In UTC.
             */
            measuredAt: string
            /**
             * Format: uuid
             * @description The reading.
             */
            readingId: string
            /**
             * Format: date-time
             * @description When it arrived, in UTC.
             */
            receivedAt: string
            /** @description As it was sent. */
            severity: string
            /** @description The reading as it is shown: its numbers, or the symptom. */
            shown: {
              [key: string]: unknown
            }
          }
        | {
            /** @description Alerts on the same reading. */
            alerts: {
              /**
               * Format: uuid
               * @description The alert.
               */
              alertId: string
              /** @description What its rule says. */
              label: string
            }[]
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description patient: also what a carer set for the patient.
               * @enum {string}
               */
              kind: 'doctor' | 'practice' | 'patient'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description How many times its limit it is; of a value below a limit, the limit by the value. */
            beyond: number
            /** @enum {string} */
            code: 'value'
            /** @description The field of the reading. */
            field: string
            /** @description Urgent, older than 72 hours, and no such look covers it. */
            isLate: boolean
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /** @description The act limit that it is beyond. */
            limit: number
            /**
             * Format: date-time
             * @description In UTC.
             */
            measuredAt: string
            /**
             * @description What the device says instead of a value.
             * @enum {string}
             */
            outOfRange?: 'low' | 'high'
            /**
             * Format: uuid
             * @description The reading.
             */
            readingId: string
            /** @description A type of the catalogue. */
            readingType: string
            /**
             * Format: date-time
             * @description When it arrived, in UTC.
             */
            receivedAt: string
            /** @description The reading as it is shown: its numbers, or the symptom. */
            shown: {
              [key: string]: unknown
            }
            /** @description Of `value` and the limit, in UCUM. */
            unit: string
            /** @description Null where the device says that it is out of its range. */
            value: number | null
          }
        | {
            /**
             * Format: uuid
             * @description The alert.
             */
            alertId: string
            /** @description How many times its limit it is; of a value below a limit, the limit by the value. */
            beyond?: number
            /** @enum {string} */
            code: 'alert'
            /** @description When the values came back; null while it is open. */
            endedAt: string | null
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /**
             * @description What the rule looks at.
             * @enum {string}
             */
            kind: 'value' | 'change' | 'missing' | 'symptom'
            /** @description The label of its rule; without one, why the alert was opened. */
            label: string
            /** @description The bound of the rule. */
            limit: number | null
            /**
             * Format: date-time
             * @description In UTC.
             */
            measuredAt: string
            /** @description A type of the catalogue. */
            readingType: string
            /**
             * Format: date-time
             * @description When it arrived, in UTC.
             */
            receivedAt: string
            /**
             * @description As the rule says.
             * @enum {string}
             */
            severity: 'urgent' | 'warning'
            /** @description Of the value and the limit, in UCUM. */
            unit: string | null
            /** @description The worst value, or by how much it changed; null where none is. */
            value: number | null
          }
        | {
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description patient: also what a carer set for the patient.
               * @enum {string}
               */
              kind: 'doctor' | 'practice' | 'patient'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description How many times its limit it is; of a value below a limit, the limit by the value. */
            beyond: number
            /** @description Beyond which bound of the target that part is; null of inRange. */
            bound: number | null
            /** @enum {string} */
            code: 'goal'
            /** @description Judged by today and so many UTC days before. */
            days: number
            /** @description The field of the reading. */
            field: string
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /** @description The goal. */
            limit: number
            /**
             * @description Of which part it is the share.
             * @enum {string}
             */
            part: 'inRange' | 'below' | 'farBelow' | 'above' | 'farAbove'
            /** @description A type of the catalogue. */
            readingType: string
            /** @description Of `value` and the limit, in UCUM. */
            unit: string
            /** @description The share of the time, or of the values, from 0 to 1. */
            value: number
          }
        | {
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description patient: also what a carer set for the patient.
               * @enum {string}
               */
              kind: 'doctor' | 'practice' | 'patient'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description How many times its limit it is; of a value below a limit, the limit by the value. */
            beyond: number
            /** @enum {string} */
            code: 'mean'
            /** @description Judged by today and so many UTC days before. */
            days: number
            /** @description The field of the reading. */
            field: string
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /** @description The bound of the target that it is beyond. */
            limit: number
            /** @description A type of the catalogue. */
            readingType: string
            /** @description Of `value` and the limit, in UCUM. */
            unit: string
            /** @description The mean. */
            value: number
          }
        | {
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description patient: also what a carer set for the patient.
               * @enum {string}
               */
              kind: 'doctor' | 'practice' | 'patient'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description How many times its limit it is; of a value below a limit, the limit by the value. */
            beyond: number
            /** @enum {string} */
            code: 'fall'
            /** @description The field of the reading. */
            field: string
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /** @description That of the 14 days before. */
            limit: number
            /** @description A type of the catalogue. */
            readingType: string
            /** @description The share in range of 14 days, from 0 to 1. */
            value: number
          }
        | {
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description patient: also what a carer set for the patient.
               * @enum {string}
               */
              kind: 'doctor' | 'practice' | 'patient'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description How many times its limit it is; of a value below a limit, the limit by the value. */
            beyond: number
            /** @enum {string} */
            code: 'silent'
            /** @description How often a value is expected, as ISO 8601 writes it. */
            expectEvery: string
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /** @description A type of the catalogue. */
            readingType: string
            /**
             * Format: date-time
             * @description When the newest reading counts; without one, when the target was set.
             */
            since: string
          }
        | {
            /**
             * @description What comes, or has come.
             * @enum {string}
             */
            code: 'lookAgain' | 'sharingEnds'
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /**
             * Format: date-time
             * @description When that is.
             */
            since: string
          }
        | {
            /** @enum {string} */
            code: 'clock'
            /** @description Whether a look of this doctor, or of a colleague in a practice, covers it. */
            isSeen: boolean
            /**
             * Format: date-time
             * @description In UTC.
             */
            measuredAt: string
            /**
             * Format: uuid
             * @description The reading.
             */
            readingId: string
            /** @description A type of the catalogue. */
            readingType: string
            /**
             * Format: date-time
             * @description When it arrived, in UTC.
             */
            receivedAt: string
            /** @description The reading as it is shown: its numbers, or the symptom. */
            shown: {
              [key: string]: unknown
            }
          }
      )[]
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /**
       * Format: date-time
       * @description When the patient began to share, in UTC.
       */
      sharedSince: string
      /** @description Mild symptoms of 7 days, at most 5, the newest first. They are not judged. */
      symptoms: {
        /**
         * Format: date-time
         * @description In UTC.
         */
        measuredAt: string
        /** @description MILD. */
        severity: string
        /** @description As it was sent. */
        symptom: string
      }[]
      /** @description Of 7 UTC days those with values: the first field of the first target that decides, in its unit. Empty without a target. */
      trend: {
        /**
         * Format: date
         * @description In UTC.
         */
        day: string
        /** @description The highest. */
        high: number
        /** @description The lowest. */
        low: number
      }[]
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    /** @description A doctor has seen what the list showed of a patient. */
    Look: {
      /** @description The alerts that it acknowledged. */
      acknowledged: string[]
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      at: string
      /** @description Who looked: the name, or the subject of the token where no name is known. */
      by: string
      /** @description Unique id of the doctor, as doctors/list gave it. */
      doctorId: string | null
      /**
       * Format: date-time
       * @description The date that this look gave; null where it gave none.
       */
      lookAgainAt: string | null
      /** @description What the doctor says about it; null for nothing. A note for doctors is shown to doctors only. */
      note: string | null
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description The practice for which it counts; null for none. */
      practiceId: string | null
      /** Format: uuid */
      reviewId: string
      /**
       * Format: date-time
       * @description When it was taken back; null if it was not.
       */
      undoneAt: string | null
      /**
       * Format: date-time
       * @description Until when reviews/undo takes it back.
       */
      undoUntil: string
      /**
       * @description Who sees the note; null without one.
       * @enum {unknown}
       */
      visibleTo: 'patient' | 'doctors' | null
    }
    MeanArterialPressureReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'meanArterialPressure'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, mm[Hg] is meant.
       * @enum {string}
       */
      unit?: 'mm[Hg]'
      /** @description Possible: 10 to 300 mm[Hg]. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    NoteReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'note'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description What somebody wrote beside the readings. It is never judged. */
      text: string
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A reading of any type that is not in the catalogue, with whatever fields it brings. */
    OtherReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @description Any type that is not in the catalogue, nor one of the catalogue but for case, blanks, dashes or underscores. */
      readingType: string
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    OxygenSaturationReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'oxygenSaturation'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description As the device has it. */
      supplementalOxygen?: string | number | boolean
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, % is meant.
       * @enum {string}
       */
      unit?: '%'
      /** @description Possible: 0 to 100 %. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    PainScoreReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'painScore'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description As the device has it. */
      site?: string | number | boolean
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, {score} is meant.
       * @enum {string}
       */
      unit?: '{score}'
      /** @description Possible: 0 to 10 {score}. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    PeakExpiratoryFlowReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'peakExpiratoryFlow'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, L/min is meant.
       * @enum {string}
       */
      unit?: 'L/min'
      /** @description Possible: 0 to 1000 L/min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description A reading. Fields beyond those named are kept and returned as they were sent. */
    Reading: components['schemas']['CatalogueReading'] | components['schemas']['OtherReading']
    /** @description Where the reading comes from. It is part of the content, as any field. */
    ReadingSource: {
      app?: {
        /** @description The program that sent the reading, or into which it was typed. */
        name: string
        /** @description Its version. */
        version?: string
      }
      device?: {
        /** @description Who made it. */
        manufacturer?: string
        /** @description The number or name of its model. */
        model?: string
        /** @description What people call the device. */
        name: string
        /** @description Its serial number. */
        serial?: string
      }
      /**
       * @description Whether a device sent it, a person typed it in, or it was imported from another record or system.
       * @enum {string}
       */
      kind: 'device' | 'manual' | 'import'
    }
    ReadingTypeEntry: {
      example: components['schemas']['CatalogueReading']
      /** @description LOINC codes that mean this type. */
      loinc: string[]
      numbers: {
        /** @description The field that it must be below, if any. */
        below: string | null
        /** @description Name of the field of the reading. */
        field: string
        isRequired: boolean
        isWhole: boolean
        /** @description One for each unit that it may be sent in. */
        ranges: {
          /** @description LOINC code of the number in this unit. */
          loinc: string | null
          /** @description Ask a person who types a number outside whether it is right. It is no reference range: do not draw it, and do not call a number within it normal. */
          plausible: {
            least: number
            most: number
          } | null
          /** @description A number outside is refused. */
          possible: {
            least: number
            most: number
          }
          /** @description In UCUM. */
          unit: string
        }[]
      }[]
      readingType: string
      /** @description JSON Schema (2020-12) of a reading as it is sent. */
      schema: {
        [key: string]: unknown
      }
      /** @description What `unit` may be, in UCUM. Where there is one, it may be left out; where there are several, it is required. */
      units: string[]
    }
    RespiratoryRateReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'respiratoryRate'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, /min is meant.
       * @enum {string}
       */
      unit?: '/min'
      /** @description Possible: 0 to 150 /min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    RestingHeartRateReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'restingHeartRate'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, /min is meant.
       * @enum {string}
       */
      unit?: '/min'
      /** @description Possible: 1 to 300 /min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description What a doctor wants to be notified of: exactly one of value, change, missing and symptom. */
    Rule: {
      author: {
        /** @description The doctor, if it is one. */
        doctorId?: string
        /**
         * @description Whose rule it is.
         * @enum {string}
         */
        kind: 'doctor' | 'practice'
        /** @description The name, or the id where no name is known. */
        name: string
        /** @description The practice, if it is one. */
        practiceId?: string
      }
      /** @description Holds if the value rose or fell by so much. */
      change?: {
        /** @description So much above the lowest value of the time before; if it is negative, below the highest. */
        by: number
        /** @description The time before the newest value. From PT1M to P30D. */
        within: string
      }
      /** @description An alert on values ends at the first one on this side: below where the rule looks above, and above where it looks below. Without it, as soon as the rule no longer holds for the newest value. */
      clear?: {
        /** @description Values greater than this one. */
        above?: number
        /** @description Values less than this one. */
        below?: number
      }
      /** @description The field of the reading; null for missing and symptom, which look at no value. */
      field: string | null
      /** @description The patient no longer shares the type with its author with the permission manage, so it is not evaluated. False for all patients. */
      isSuspended: boolean
      /** @description What it is called; null for none. */
      label: string | null
      /** @description Holds if no reading of the type was measured. */
      missing?: {
        /** @description For so long. From PT1H to P365D. */
        for: string
      }
      /** @description The patient; null where it holds for all who share with the permission manage. */
      patientUid: string | null
      /** @description A type of the catalogue, or symptom. */
      readingType: string
      /**
       * Format: uuid
       * @description Stays the same when the rule is changed.
       */
      ruleId: string
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      setAt: string
      /** @description Who set it: the subject of the token. */
      setBy: string
      /**
       * @description urgent: for now. warning: for this week.
       * @enum {string}
       */
      severity: 'urgent' | 'warning'
      /** @description Holds for 72 hours after such a symptom. The type is symptom. */
      symptom?: {
        /**
         * @description The lowest that counts. A severity that is none of these counts as SEVERE.
         * @enum {string}
         */
        severity: 'MILD' | 'MODERATE' | 'SEVERE'
      }
      /** @description The unit of the numbers, in UCUM; null for missing and symptom. */
      unit: string | null
      /** @description Holds if values are beyond the bound, above or below. A value at the bound is not beyond it. */
      value?: {
        /** @description Values greater than this one. */
        above?: number
        /** @description Values less than this one. */
        below?: number
        /** @description So many values are beyond the bound, the newest among them. Default: 1. */
        times?: number
        /** @description In this time; required where times is above 1. From PT1M to P30D. */
        within?: string
      }
    }
    /** @description What a rule would have done. */
    RulePreview: {
      /** @description The alerts, newest first, at most 200. */
      alerts: {
        /**
         * Format: date-time
         * @description When the reading was measured by which it would have opened, or when one was missing.
         */
        openedAt: string
        patientUid: string
        /** @description The name under which the patient shares. */
        sharedAs: string | null
        /**
         * Format: date-time
         * @description When it would have ended; null if it would be open now.
         */
        until: string | null
        /** @description One sentence. */
        why: string
        /** @description The worst reading since it opened; where readings are missing, the last one before, if any. */
        worst: {
          /**
           * Format: date-time
           * @description When it was measured, in UTC.
           */
          measuredAt: string
          /**
           * @description What a sensor marked instead of a value.
           * @enum {string}
           */
          outOfRange?: 'low' | 'high'
          /** Format: uuid */
          readingId: string
          /**
           * Format: date-time
           * @description When it arrived, in UTC.
           */
          receivedAt: string
          /** @description Of the symptom, as it was sent. */
          severity?: string
          symptom?: string
          /** @description Its unit, in UCUM. */
          unit: string | null
          /** @description In the unit of the rule; for a change, by how much it rose or fell. Null without a number. */
          value: number | null
        } | null
      }[]
      /** @description How many alerts there would have been. */
      count: number
      /**
       * Format: date-time
       * @description From when on readings were looked at, in UTC, of the patient with the oldest.
       */
      from: string
      /** @description Whether there were more than 50,000: then only the newest were looked at, of each patient the same share. */
      isCut: boolean
      /** @description How long the longest of them would have been open, in milliseconds. */
      longest: number
      /** @description How long they would have been open in total, in milliseconds. */
      openFor: number
      /** @description Of how many patients they were. */
      patients: number
      /** @description How many alerts a week, of all these patients together, with one decimal. */
      perWeek: number
      /** @description How many readings of the type were looked at. */
      readings: number
      /**
       * Format: date-time
       * @description Until when: now.
       */
      to: string
    }
    /** @description A patient who shares readings with the doctor. */
    SharingPatient: {
      /** @description How this doctor may reach the patient; null if nothing was given. */
      contact: string | null
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /**
       * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
       * @enum {string}
       */
      permission: 'view' | 'manage'
      /** @description The reading types that are shared; null for all. */
      readingTypes: string[] | null
      /** @description How the patient wants to appear to this doctor; null for the id. */
      sharedAs: string | null
      /**
       * Format: date-time
       * @description When the patient began to share, in UTC.
       */
      sharedSince: string
      /**
       * Format: date-time
       * @description When the grant ends, in UTC; null if it stays until it is revoked.
       */
      validUntil: string | null
    }
    SleepReading: {
      /** @description Possible: 0 to 1440 min. */
      awake?: number
      /** @description Possible: 0 to 1440 min. */
      deep?: number
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Possible: 0 to 1440 min. */
      light?: number
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'sleep'
      /** @description Given by the service. */
      readonly receivedAt?: never
      /** @description Possible: 0 to 1440 min. */
      rem?: number
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      startedAt?: number
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, min is meant.
       * @enum {string}
       */
      unit?: 'min'
      /** @description Possible: 0 to 1440 min. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    Speciality: {
      /**
       * Format: date-time
       * @description UTC, with milliseconds.
       */
      created: string
      isActive: boolean
      /** @description The same text as title. */
      slug: string
      /** @description Unique id of the specialty. */
      specialityId: string
      /** @description Display name of the specialty. */
      title: string
    }
    StepCountReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'stepCount'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      startedAt?: number
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, {steps} is meant.
       * @enum {string}
       */
      unit?: '{steps}'
      /** @description Possible: 0 to 1000000 {steps}. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description The reading as it was sent, and three fields that the service adds. */
    StoredReading: {
      /**
       * Format: date-time
       * @description The instant of timestamp, in UTC.
       */
      measuredAt: string
      patientUid: string
      /**
       * Format: uuid
       * @description Derived from the content of the reading.
       */
      readingId: string
      readingType: string
      /** Format: date-time */
      receivedAt: string
      /** @description The number exactly as it was sent. */
      timestamp: number
    } & {
      [key: string]: unknown
    }
    SymptomReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'symptom'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      symptoms: {
        /** @description An upper-case label; MILD, MODERATE and SEVERE are the usual ones. */
        severity: string
        symptom: string
      }[]
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
    /** @description What the readings of a type are compared with, and who set it. */
    Target: {
      author: {
        /** @description The doctor, if it is one. */
        doctorId?: string
        /**
         * @description patient: also what a carer set for the patient.
         * @enum {string}
         */
        kind: 'doctor' | 'practice' | 'patient'
        /** @description The name, or the id where no name is known. */
        name: string
        /** @description The practice, if it is one. */
        practiceId?: string
      }
      /** @description After a longer time without a reading of the type, the patient is listed as silent. Null expects nothing. */
      expectEvery: string | null
      /** @description What is compared, by the name of the field: value, or such as systolic and diastolic. */
      fields: {
        [key: string]: {
          /** @description A single value above it needs somebody now. Null: none, on purpose. Left out: not decided. */
          actAbove?: number | null
          /** @description A single value below it needs somebody now. Null: none, on purpose. Left out: not decided. */
          actBelow?: number | null
          /** @description What farAbove of the goals is above. */
          farHigh?: number
          /** @description What farBelow of the goals is below. */
          farLow?: number
          /** @description Shares of the time that the values of a sensor stood, or of the values of another type. Both kinds of glucose are judged only with goals. */
          goals?: {
            /** @description At most this share is above high. */
            above?: number
            /** @description At most this share is below low. */
            below?: number
            /** @description At most this share is above farHigh. */
            farAbove?: number
            /** @description At most this share is below farLow. */
            farBelow?: number
            /** @description At least this share is from low to high. */
            inRange?: number
          }
          /** @description The highest value in target. */
          high?: number
          /** @description The lowest value in target. */
          low?: number
        }
      }
      /** @description Set for all who share with the permission manage. It holds where the type was measured in the last 90 days. */
      isForAll: boolean
      /** @description Whether readings are compared with it for the caller, in the list of patients and in reports. One of a type: for a doctor the first of the own for the patient, that of a practice of the doctor for the patient, the own for all, the newest of another doctor with the permission manage; for the patient the newest of such a doctor, else their own. */
      judges: boolean
      /** @description A text beside it, such as why it was chosen; null for none. */
      label: string | null
      /** @description The patient; null where it holds for all who share with the permission manage. */
      patientUid: string | null
      /** @description The published target from which it was filled in; null for none. */
      preset: string | null
      /** @description A type of the catalogue. */
      readingType: string
      /**
       * Format: date-time
       * @description When that was, in UTC.
       */
      setAt: string
      /** @description Who set it: the subject of the token. */
      setBy: string
      /**
       * Format: uuid
       * @description Another one at every change but that of a label.
       */
      targetId: string
      /** @description The unit of all numbers, in UCUM, but of fields with one of their own. */
      unit: string
    }
    TargetPreset: {
      /** @description Its name, for targets/set. */
      preset: string
      readingType: string
      /** @description What its author must know before choosing it; null for nothing. */
      remark: string | null
      source: {
        /** @description The publication that recommends it. */
        title: string
        /** Format: uri */
        url: string
        year: number
      }
      title: string
      /** @description What it fills in, in each unit in which it is published. Some have only act limits, which may be filled in beside a range. */
      units: {
        [key: string]: {
          [key: string]: {
            /** @description A single value above it needs somebody now. Null: none, on purpose. Left out: not decided. */
            actAbove?: number | null
            /** @description A single value below it needs somebody now. Null: none, on purpose. Left out: not decided. */
            actBelow?: number | null
            /** @description What farAbove of the goals is above. */
            farHigh?: number
            /** @description What farBelow of the goals is below. */
            farLow?: number
            /** @description Shares of the time that the values of a sensor stood, or of the values of another type. Both kinds of glucose are judged only with goals. */
            goals?: {
              /** @description At most this share is above high. */
              above?: number
              /** @description At most this share is below low. */
              below?: number
              /** @description At most this share is above farHigh. */
              farAbove?: number
              /** @description At most this share is below farLow. */
              farBelow?: number
              /** @description At least this share is from low to high. */
              inRange?: number
            }
            /** @description The highest value in target. */
            high?: number
            /** @description The lowest value in target. */
            low?: number
          }
        }
      }
    }
    TimeInTargetReport: {
      /** @description All days of the range, in order. */
      days: {
        /**
         * Format: date
         * @description The local date.
         */
        date: string
        /** @description How many of the judged ones are in target; null if none is set. */
        inTarget: number | null
        judged: number
        readings: number
      }[]
      /** @description Each field that has a range in the target. */
      fields: {
        [key: string]: {
          /** @description Number of readings below, in and above the target. */
          readings: {
            above: number
            below: number
            in: number
          }
          /** @description For how long values were below, in and above it. */
          seconds: {
            above: number
            below: number
            in: number
          }
        }
      }
      /** @description How many of the judged ones have no number outside its target; null if none is set. */
      inTarget: number | null
      /** @description How many of them have a number in a field that has a range. */
      judged: number
      /** @description Number of readings of the type. */
      readings: number
      readingType: string
      /** @description The same as time: a value stands until the next reading of the type, for interstitialGlucose at most 20 minutes and never beyond its UTC day, for any other type at most 24 hours, and not beyond the range or now. Null if no target is set. */
      seconds: {
        /** @description For how long values in target stood. */
        inTarget: number
        /** @description For how long judged values stood. */
        judged: number
      } | null
      /** @description The target that judges for the caller (see targets/list), if it has a range; else null. */
      target: components['schemas']['Target'] | null
    }
    /** @description Something that happened; `kind` says what. */
    TimelineEntry:
      | {
          /** @description The alerts that it acknowledged. */
          acknowledged: string[]
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @description Unique id of the doctor, as doctors/list gave it. */
          doctorId: string | null
          /** @enum {string} */
          kind: 'look'
          /**
           * Format: date-time
           * @description The date that this look gave; null where it gave none.
           */
          lookAgainAt: string | null
          /** @description What the doctor says about it; null for nothing. A note for doctors is shown to doctors only. */
          note: string | null
          /** @description The practice for which it counts; null for none. */
          practiceId: string | null
          /** Format: uuid */
          reviewId: string
          /**
           * Format: date-time
           * @description When it was taken back; null if it was not.
           */
          undoneAt: string | null
          /**
           * @description Who sees the note; null without one.
           * @enum {unknown}
           */
          visibleTo: 'patient' | 'doctors' | null
        }
      | {
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @enum {string} */
          kind: 'symptom'
          /** Format: uuid */
          readingId: string
          /** @description As it was sent. */
          severity: string
          symptom: string
        }
      | {
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @enum {string} */
          kind: 'note'
          /** Format: uuid */
          readingId: string
          text: string
        }
      | {
          /** Format: uuid */
          alertId: string
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @description values: a reading ended it. symptomOver: 72 hours after the last one. ruleChanged, ruleRemoved: by its author. grantEnded: the patient no longer shares it with the author. withdrawn: the readings that held it were. Null while it is open. */
          endedBecause:
            | ('values' | 'symptomOver' | 'ruleChanged' | 'ruleRemoved' | 'grantEnded' | 'withdrawn')
            | null
          /**
           * @description What became of it. reopened: it is worse than what was seen, or that was taken back.
           * @enum {string}
           */
          event: 'opened' | 'reopened' | 'acknowledged' | 'ended'
          /** @enum {string} */
          kind: 'alert'
          /** @description What its rule is called; null for nothing. */
          label: string | null
          /** @description What was said as it was acknowledged. A note for doctors is shown to doctors only. */
          note: string | null
          /** Format: uuid */
          ruleId: string
          /** @description The webhook endpoints that are told. Empty: nobody is, and no receiver is set up. */
          sentTo: {
            /**
             * Format: date-time
             * @description When that was.
             */
            at: string
            /** Format: uuid */
            endpointId: string
            /** @description What the endpoint was called then. */
            name: string
            /**
             * @description failed: the last attempt did.
             * @enum {string}
             */
            state: 'waiting' | 'accepted' | 'failed'
          }[]
          /**
           * @description urgent: for now. warning: for this week.
           * @enum {string}
           */
          severity: 'urgent' | 'warning'
          /** @description Its unit, in UCUM. */
          unit: string | null
          /** @description The value that it is about; null without a number, and where the grant ended. */
          value: number | null
          /** @description Who sees the note; null without one. */
          visibleTo: ('patient' | 'doctors') | null
          /** @description One sentence; null where the grant ended. */
          why: string | null
        }
      | {
          /**
           * @description What was done.
           * @enum {string}
           */
          action: 'set' | 'removed'
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @enum {string} */
          kind: 'target'
          /** @description The target as it was set, or until it was removed. */
          target: {
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description patient: also what a carer set for the patient.
               * @enum {string}
               */
              kind: 'doctor' | 'practice' | 'patient'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description After a longer time without a reading of the type, the patient is listed as silent. Null expects nothing. */
            expectEvery: string | null
            /** @description What is compared, by the name of the field: value, or such as systolic and diastolic. */
            fields: {
              [key: string]: {
                /** @description A single value above it needs somebody now. Null: none, on purpose. Left out: not decided. */
                actAbove?: number | null
                /** @description A single value below it needs somebody now. Null: none, on purpose. Left out: not decided. */
                actBelow?: number | null
                /** @description What farAbove of the goals is above. */
                farHigh?: number
                /** @description What farBelow of the goals is below. */
                farLow?: number
                /** @description Shares of the time that the values of a sensor stood, or of the values of another type. Both kinds of glucose are judged only with goals. */
                goals?: {
                  /** @description At most this share is above high. */
                  above?: number
                  /** @description At most this share is below low. */
                  below?: number
                  /** @description At most this share is above farHigh. */
                  farAbove?: number
                  /** @description At most this share is below farLow. */
                  farBelow?: number
                  /** @description At least this share is from low to high. */
                  inRange?: number
                }
                /** @description The highest value in target. */
                high?: number
                /** @description The lowest value in target. */
                low?: number
              }
            }
            /** @description Set for all who share with the permission manage. It holds where the type was measured in the last 90 days. */
            isForAll: boolean
            /** @description A text beside it, such as why it was chosen; null for none. */
            label: string | null
            /** @description The patient; null where it holds for all who share with the permission manage. */
            patientUid: string | null
            /** @description The published target from which it was filled in; null for none. */
            preset: string | null
            /** @description A type of the catalogue. */
            readingType: string
            /**
             * Format: uuid
             * @description Another one at every change but that of a label.
             */
            targetId: string
            /** @description The unit of all numbers, in UCUM, but of fields with one of their own. */
            unit: string
          }
        }
      | {
          /**
           * @description What was done.
           * @enum {string}
           */
          action: 'set' | 'removed'
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @enum {string} */
          kind: 'rule'
          /** @description The rule as it was set, or until it was removed. */
          rule: {
            author: {
              /** @description The doctor, if it is one. */
              doctorId?: string
              /**
               * @description Whose rule it is.
               * @enum {string}
               */
              kind: 'doctor' | 'practice'
              /** @description The name, or the id where no name is known. */
              name: string
              /** @description The practice, if it is one. */
              practiceId?: string
            }
            /** @description Holds if the value rose or fell by so much. */
            change?: {
              /** @description So much above the lowest value of the time before; if it is negative, below the highest. */
              by: number
              /** @description The time before the newest value. From PT1M to P30D. */
              within: string
            }
            /** @description An alert on values ends at the first one on this side: below where the rule looks above, and above where it looks below. Without it, as soon as the rule no longer holds for the newest value. */
            clear?: {
              /** @description Values greater than this one. */
              above?: number
              /** @description Values less than this one. */
              below?: number
            }
            /** @description The field of the reading; null for missing and symptom, which look at no value. */
            field: string | null
            /** @description What it is called; null for none. */
            label: string | null
            /** @description Holds if no reading of the type was measured. */
            missing?: {
              /** @description For so long. From PT1H to P365D. */
              for: string
            }
            /** @description The patient; null where it holds for all who share with the permission manage. */
            patientUid: string | null
            /** @description A type of the catalogue, or symptom. */
            readingType: string
            /**
             * Format: uuid
             * @description Stays the same when the rule is changed.
             */
            ruleId: string
            /**
             * @description urgent: for now. warning: for this week.
             * @enum {string}
             */
            severity: 'urgent' | 'warning'
            /** @description Holds for 72 hours after such a symptom. The type is symptom. */
            symptom?: {
              /**
               * @description The lowest that counts. A severity that is none of these counts as SEVERE.
               * @enum {string}
               */
              severity: 'MILD' | 'MODERATE' | 'SEVERE'
            }
            /** @description The unit of the numbers, in UCUM; null for missing and symptom. */
            unit: string | null
            /** @description Holds if values are beyond the bound, above or below. A value at the bound is not beyond it. */
            value?: {
              /** @description Values greater than this one. */
              above?: number
              /** @description Values less than this one. */
              below?: number
              /** @description So many values are beyond the bound, the newest among them. Default: 1. */
              times?: number
              /** @description In this time; required where times is above 1. From PT1M to P30D. */
              within?: string
            }
          }
        }
      | {
          /**
           * @description What became of the grant.
           * @enum {string}
           */
          action: 'given' | 'changed' | 'revoked' | 'expired'
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @description Unique id of the doctor, as doctors/list gave it. */
          doctorId: string
          /** @enum {string} */
          kind: 'sharing'
          /**
           * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
           * @enum {string}
           */
          permission: 'view' | 'manage'
          /** @description The practice with which the patient shares; null for a doctor. */
          practiceId: string | null
          /**
           * Format: date-time
           * @description When the grant ends, in UTC; null if it stays until it is revoked.
           */
          validUntil: string | null
        }
      | {
          /**
           * @description What was done.
           * @enum {string}
           */
          action: 'withdrawn' | 'restored'
          /**
           * Format: date-time
           * @description When that was, in UTC; of a symptom or a note, when it was measured.
           */
          at: string
          /** @description Who did it: the name, or the subject of the token where no name is known; null for Rounds. */
          by: string | null
          /** @enum {string} */
          kind: 'withdrawal'
          /** Format: uuid */
          readingId: string
          /** @description Why; null if that was not said. */
          reason: string | null
        }
    WaistCircumferenceReading: {
      /** @description Elements of the FHIR Observation as which the reading was sent, and is given back: identifier, performer, issued, note, encounter, basedOn, extension, and category, code, method and device beside those that the other fields stand for. */
      fhir?: {
        [key: string]: unknown
      }
      /** @description Given by the service. */
      readonly measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readonly readingId?: never
      /** @enum {string} */
      readingType: 'waistCircumference'
      /** @description Given by the service. */
      readonly receivedAt?: never
      source?: components['schemas']['ReadingSource']
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
      /**
       * @description In UCUM. Where it is left out, cm is meant.
       * @enum {string}
       */
      unit?: 'cm'
      /** @description Possible: 10 to 400 cm. */
      value: number
      /** @description Given by the service. */
      readonly withdrawn?: never
    } & {
      [key: string]: unknown
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export interface operations {
  listDoctors: {
    parameters: {
      query?: {
        /** @description Only doctors in this city, in any case, accents ignored. */
        city?: string
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Only the doctors with these ids; may be repeated. */
        doctorId?: string[]
        /** @description Only doctors who speak it; `en` also finds `en-IN`. */
        language?: string
        /** @description Maximum number of doctors per page. */
        limit?: number
        /** @description Part of a name, in any case, accents ignored. Fewer than three letters or digits in a row match the beginning of a word. */
        q?: string
        /** @description Only doctors with this specialty. */
        specialityId?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Doctors, ordered by name. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Doctor'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
            /** @enum {string} */
            status: 'success'
          }
        }
      }
    }
  }
  listSpecialities: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All specialities, active or not, ordered by title. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Speciality'][]
            message: string
            /** @enum {string} */
            status: 'success'
          }
        }
      }
    }
  }
  acknowledgeAlert: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the alert, as alerts/list gives it. */
          alertId: string
          /** @description What the doctor says about it. */
          note?: string
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
          /**
           * @description Who sees the note. Required with a note, and left out without one.
           * @enum {string}
           */
          visibleTo?: 'patient' | 'doctors'
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Alert']
            message: string
          }
        }
      }
    }
  }
  listAlerts: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of alerts per page. */
        limit?: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Only alerts in this state. */
        state?: 'open' | 'acknowledged' | 'ended' | 'all'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Alerts, the one that opened last first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: date-time
             * @description Since when changes wait to be evaluated, where that is more than ten seconds; null while the list is up to date.
             */
            behindSince: string | null
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Alert'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  listMyPatients: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Only patients whose name or id contains it, ignoring case and accents. */
        find?: string
        /** @description Maximum number of patients per page. */
        limit?: number
        /** @description Default: those who need attention, the fewest days with data, and the readings and looks that are longest ago come first. */
        order?: 'asc' | 'desc'
        /** @description Only this patient; `counts` are of this one too. No entry where nothing is shared now. */
        patientUid?: string
        /** @description Only patients in this queue; may be repeated. */
        queue?: ('actNow' | 'thisWeek' | 'silent' | 'seen' | 'fine' | 'notJudged')[]
        /** @description By what patients are ordered; default: attention, which is by queue, by class of the first reason, by how far it is beyond its limit, and the oldest first. Equal ones are ordered by name. */
        sort?: 'attention' | 'name' | 'daysWithData' | 'lastReading' | 'lastLook'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Patients, in the order that was asked for. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: date-time
             * @description Since when changes wait to be in the list, if it is for more than 10 seconds; null while it is up to date.
             */
            behindSince: string | null
            /** @enum {string} */
            code: 'Ok'
            /** @description How many patients are in each queue, and how many are left out because more than 2000 share. `queue` and `find` do not change it. */
            counts: {
              actNow: number
              all: number
              beyond: number
              fine: number
              notJudged: number
              seen: number
              silent: number
              thisWeek: number
            }
            data: components['schemas']['ListedPatient'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  bloodPressureReport: {
    parameters: {
      query: {
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC. */
        timeZone?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to: number
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. Without readings its counts are 0 and its values null. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['BloodPressureReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
    }
  }
  daysWithDataReport: {
    parameters: {
      query: {
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too. */
        readingType?: string
        /** @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC. */
        timeZone?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to: number
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['DaysWithDataReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
    }
  }
  glucoseReport: {
    parameters: {
      query: {
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC. */
        timeZone?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to: number
        /** @description Unit of all values; default: mmol/L. */
        unit?: 'mmol/L' | 'mg/dL'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. Without readings its counts are 0 and its values null. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['GlucoseReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
    }
  }
  timeInTargetReport: {
    parameters: {
      query: {
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too. */
        readingType: string
        /** @description IANA time zone of days and times of day, such as Europe/Berlin; default: UTC. */
        timeZone?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to: number
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The report. Without a target its counts of those in target are null. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['TimeInTargetReport']
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
    }
  }
  addReview: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description When the patient is listed again. Left out, a date that is pending stays; null takes it away. What this look has seen stays seen until its date. */
          lookAgainAt?: string | null
          /** @description What the doctor says about it. */
          note?: string
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
          /** @description A UUID that the client draws. Sent again, it answers the look that is stored. */
          reviewId: string
          /** @description What else is seen, and the alerts that are acknowledged: `look.saw` of the entry that was shown, as it is. */
          saw: string[]
          /** @description Single readings that were judged up to here are seen: `look.seenUpTo` of the entry that was shown. */
          seenUpTo: string
          /**
           * @description Who sees the note. Required with a note, and left out without one.
           * @enum {string}
           */
          visibleTo?: 'patient' | 'doctors'
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Look']
            message: string
          }
        }
      }
    }
  }
  undoReview: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
          /** @description A UUID that the client draws. Sent again, it answers the look that is stored. */
          reviewId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Look']
            message: string
          }
        }
      }
    }
  }
  listRules: {
    parameters: {
      query?: {
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Rules, ordered by type; of a type those for the patient first, the newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Rule'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
    }
  }
  previewRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Holds if the value rose or fell by so much. */
          change?: {
            /** @description So much above the lowest value of the time before; if it is negative, below the highest. */
            by: number
            /** @description The time before the newest value. From PT1M to P30D. */
            within: string
          }
          /** @description An alert on values ends at the first one on this side: below where the rule looks above, and above where it looks below. Without it, as soon as the rule no longer holds for the newest value. */
          clear?: {
            /** @description Values greater than this one. */
            above?: number
            /** @description Values less than this one. */
            below?: number
          }
          /** @description Field of the reading. May be left out if the type has one number. */
          field?: string
          /** @description What it is called in lists and alerts. Another label changes nothing else. */
          label?: string
          /** @description Holds if no reading of the type was measured. */
          missing?: {
            /** @description For so long. From PT1H to P365D. */
            for: string
          }
          /** @description The patient. Without it, the rule holds for all who share with the permission manage. */
          patientUid?: string
          /** @description A type of the catalogue; symptom for a rule of symptoms. */
          readingType: string
          /**
           * @description urgent: for now. warning: for this week.
           * @enum {string}
           */
          severity: 'urgent' | 'warning'
          /** @description Holds for 72 hours after such a symptom. The type is symptom. */
          symptom?: {
            /**
             * @description The lowest that counts. A severity that is none of these counts as SEVERE.
             * @enum {string}
             */
            severity: 'MILD' | 'MODERATE' | 'SEVERE'
          }
          /** @description Unit of the numbers, in UCUM. May be left out if there is one. */
          unit?: string
          /** @description Holds if values are beyond the bound, above or below. A value at the bound is not beyond it. */
          value?: {
            /** @description Values greater than this one. */
            above?: number
            /** @description Values less than this one. */
            below?: number
            /** @description So many values are beyond the bound, the newest among them. Default: 1. */
            times?: number
            /** @description In this time; required where times is above 1. From PT1M to P30D. */
            within?: string
          }
        }
      }
    }
    responses: {
      /** @description What it would have done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['RulePreview']
            message: string
          }
        }
      }
    }
  }
  removeRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The id of a rule, as rules/list gives it. */
          ruleId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
  setRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Holds if the value rose or fell by so much. */
          change?: {
            /** @description So much above the lowest value of the time before; if it is negative, below the highest. */
            by: number
            /** @description The time before the newest value. From PT1M to P30D. */
            within: string
          }
          /** @description An alert on values ends at the first one on this side: below where the rule looks above, and above where it looks below. Without it, as soon as the rule no longer holds for the newest value. */
          clear?: {
            /** @description Values greater than this one. */
            above?: number
            /** @description Values less than this one. */
            below?: number
          }
          /** @description Field of the reading. May be left out if the type has one number. */
          field?: string
          /** @description What it is called in lists and alerts. Another label changes nothing else. */
          label?: string
          /** @description Holds if no reading of the type was measured. */
          missing?: {
            /** @description For so long. From PT1H to P365D. */
            for: string
          }
          /** @description The patient. Without it, the rule holds for all who share with the permission manage. */
          patientUid?: string
          /** @description A type of the catalogue; symptom for a rule of symptoms. */
          readingType: string
          /** @description The own rule of the same patient that this one replaces. Without it, another one is set. */
          ruleId?: string
          /**
           * @description urgent: for now. warning: for this week.
           * @enum {string}
           */
          severity: 'urgent' | 'warning'
          /** @description Holds for 72 hours after such a symptom. The type is symptom. */
          symptom?: {
            /**
             * @description The lowest that counts. A severity that is none of these counts as SEVERE.
             * @enum {string}
             */
            severity: 'MILD' | 'MODERATE' | 'SEVERE'
          }
          /** @description Unit of the numbers, in UCUM. May be left out if there is one. */
          unit?: string
          /** @description Holds if values are beyond the bound, above or below. A value at the bound is not beyond it. */
          value?: {
            /** @description Values greater than this one. */
            above?: number
            /** @description Values less than this one. */
            below?: number
            /** @description So many values are beyond the bound, the newest among them. Default: 1. */
            times?: number
            /** @description In this time; required where times is above 1. From PT1M to P30D. */
            within?: string
          }
        }
      }
    }
    responses: {
      /** @description Committed. The rule as it is now. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Rule']
            message: string
          }
        }
      }
    }
  }
  listTargets: {
    parameters: {
      query?: {
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Targets, ordered by type; of a type those of doctors first, those for the patient before those for all, the newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Target'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
          }
        }
      }
    }
  }
  listTargetPresets: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All presets. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['TargetPreset'][]
            message: string
          }
        }
      }
    }
  }
  removeTarget: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The patient. A doctor who leaves it out removes the own target for all. */
          patientUid?: string
          /** @description The practice whose target it is: one that the token names. Only for a patient. Left out, it is that of the caller. */
          practiceId?: string
          /** @description A type of the catalogue. */
          readingType: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
  setTarget: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description After a longer time without a reading of the type, the patient is listed as silent. Null expects nothing. A doctor says it; from PT15M to P366D. */
          expectEvery?: string | null
          /** @description What is compared, by the name of the field: value, or such as systolic and diastolic. */
          fields: {
            [key: string]: {
              /** @description A single value above it needs somebody now. Null: none, on purpose. Left out: not decided. */
              actAbove?: number | null
              /** @description A single value below it needs somebody now. Null: none, on purpose. Left out: not decided. */
              actBelow?: number | null
              /** @description What farAbove of the goals is above. */
              farHigh?: number
              /** @description What farBelow of the goals is below. */
              farLow?: number
              /** @description Shares of the time that the values of a sensor stood, or of the values of another type. Both kinds of glucose are judged only with goals. */
              goals?: {
                /** @description At most this share is above high. */
                above?: number
                /** @description At most this share is below low. */
                below?: number
                /** @description At most this share is above farHigh. */
                farAbove?: number
                /** @description At most this share is below farLow. */
                farBelow?: number
                /** @description At least this share is from low to high. */
                inRange?: number
              }
              /** @description The highest value in target. */
              high?: number
              /** @description The lowest value in target. */
              low?: number
            }
          }
          /** @description A text beside it, such as why it was chosen. */
          label?: string
          /** @description The patient. A doctor who leaves it out sets it for all who share with the permission manage. */
          patientUid?: string
          /** @description The practice whose target it is: one that the token names. Only for a patient. Left out, it is that of the caller. */
          practiceId?: string
          /** @description The published target of the type from which it was filled in: see targets/presets. It sets nothing itself. */
          preset?: string
          /** @description A type of the catalogue. */
          readingType: string
          /** @description Unit of the numbers, in UCUM. May be left out if the type has one. */
          unit?: string
        }
      }
    }
    responses: {
      /** @description Committed. The target as it is now. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Target']
            message: string
          }
        }
      }
    }
  }
  readTimeline: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of entries per page. */
        limit?: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Entries, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['TimelineEntry'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  addGrant: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description How this doctor may reach the patient. Nobody else is shown it. */
          contact?: string
          /** @description Unique id of the doctor, as doctors/list gave it. */
          doctorId: string
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
          /**
           * @description view: read the readings. manage: also set targets and add reviews. Neither adds or corrects readings.
           * @enum {string}
           */
          permission: 'view' | 'manage'
          /** @description Only readings of these types. All types if it is left out. */
          readingTypes?: string[]
          /** @description How the patient wants to appear to this doctor. The id is shown if it is left out. */
          sharedAs?: string
          /** @description When the grant ends, to the millisecond. It stays until it is revoked if this is left out. */
          validUntil?: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Grant']
            message: string
          }
        }
      }
    }
  }
  grantHistory: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of changes per page. */
        limit?: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Changes, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['GrantChange'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  listGrants: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of grants per page. */
        limit?: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Grants, ordered by doctorId. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Grant'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  revokeGrant: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Unique id of the doctor, as doctors/list gave it. */
          doctorId: string
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
  listPatients: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of patients per page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Patients, in the order of their names. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['SharingPatient'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  readAccessLog: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of entries per page. A page of large entries holds fewer. */
        limit?: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Reads, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Access'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  addReadings: {
    parameters: {
      query?: never
      header?: {
        /** @description `return=representation` requests a verdict on each reading. */
        prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Reading'] | components['schemas']['Reading'][]
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          /** @description return=representation, if it was requested. */
          'preference-applied'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AddAnswer'] | components['schemas']['AddVerdicts']
        }
      }
    }
  }
  followChanges: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of changes. A page of large readings may hold fewer. */
        limit?: number
        /** @description Only readings of this type, and every erasure; may be repeated. The cursor moves past the others, so that a page may be empty. Changes of a type that is added later are given from that cursor on. */
        readingType?: string[]
        /** @description Instead of a cursor: begin with what changes from now on. Without both, from the first change. */
        start?: 'now'
        /** @description Seconds to hold the answer until something changes, where there is nothing yet. */
        wait?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Changes, in an order in which nothing can appear behind a cursor. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Change'][]
            /** @description Whether more changes are there already. A page may be empty although there are: changes of other types than those asked for are left out. */
            hasMore: boolean
            /** @description How long a transaction that stays open in the database cluster has held back the changes committed since it began, as far as the answering process has seen; 0 when nothing is held back. It tells a late sequence from a quiet one. */
            heldBackSeconds: number
            message: string
            /** @description Where to go on. Keep it with what you made of the changes. */
            nextCursor: string
          }
        }
      }
    }
  }
  getReadings: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from?: number
        /** @description Maximum number of readings per page. A page takes at most about 1 MiB, so it holds fewer large readings. Without limit, the whole range is streamed. */
        limit?: number
        /** @description Oldest first (asc, the default) or newest first. */
        order?: 'asc' | 'desc'
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Only readings of this type; may be repeated. */
        readingType?: string[]
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to?: number
        /** @description Show withdrawn readings too, each with `withdrawn`: when, by whom, why that was allowed (`allowedAs`) and why (`reason`), and in `corrections` its last ten withdrawals and restorations. They are left out by default. */
        withdrawn?: 'include'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The readings in order of time. */
      200: {
        headers: {
          /** @description A file name; for CSV and newline-delimited JSON only. */
          'content-disposition'?: string
          /** @description rel="next": the next page of CSV or newline-delimited JSON, if any. */
          link?: string
          /** @description The same types as limitedTo, with commas; only for a doctor to whom not all are shared. */
          'x-limited-to'?: string
          /** @description The cursor of that page. */
          'x-next-cursor'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['StoredReading'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
          'application/x-ndjson': string
          'text/csv': string
        }
      }
    }
  }
  latestReadings: {
    parameters: {
      query?: {
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Only the newest reading of this type; may be repeated. */
        readingType?: string[]
        /** @description Epoch end time, included: the newest up to then. By default five minutes from now, so that a device whose clock is far ahead hides nothing. Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to?: number
        /** @description Show withdrawn readings too, each with `withdrawn`: when, by whom, why that was allowed (`allowedAs`) and why (`reason`), and in `corrections` its last ten withdrawals and restorations. They are left out by default. */
        withdrawn?: 'include'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The newest reading of each type up to `to`, in order of their types; none of a type that was not sent until then. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['StoredReading'][]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Number of the types asked for that have readings later than `to`. Those are not in `data`. */
            typesBeyond: number
          }
        }
      }
    }
  }
  restoreReading: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
          /** @description As readings/get gave it. */
          readingId: string
          /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
          timestamp: number
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
  readingStatistics: {
    parameters: {
      query: {
        /** @description Length of a bucket; default: day. Weeks begin on Monday. */
        bucket?: 'hour' | 'day' | 'week' | 'month'
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Kind of reading. `symptom` is used for symptom readings; `GET readings/types` lists the types that are checked; any other type is accepted too. */
        readingType: string
        /** @description IANA time zone of the calendar, such as Europe/Berlin; default: UTC. */
        timeZone?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to: number
        /** @description UCUM unit that values are converted to; default: the first unit of the type. */
        unit?: string
        /** @description Count withdrawn readings too. They are left out by default. */
        withdrawn?: 'include'
      }
      header?: {
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All buckets from the one that contains from to the one that contains to, empty ones included. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: {
              /** @description Number of readings of the type, equal ones of one second once; 0 in an empty bucket. */
              count: number
              /**
               * Format: date-time
               * @description Start of the next bucket: not part of this one.
               */
              end: string
              /** @description Summary of each field that has a number in this bucket; empty if there is none. */
              fields: {
                [key: string]: {
                  /** @description Number of readings that have a number in this field, equal ones of one second once. */
                  count: number
                  /** @description Value of the reading measured first. */
                  first: number
                  /** @description Value of the reading measured last. */
                  last: number
                  max: number
                  mean: number
                  min: number
                  /** @description The median, interpolated between two values. */
                  p50: number
                  /** @description The value at position 0.95 × (count − 1) of the sorted values, interpolated between two. */
                  p95: number
                }
              }
              /**
               * Format: date-time
               * @description The start in local time.
               */
              localStart: string
              /**
               * Format: date-time
               * @description The first instant of the bucket, in UTC.
               */
              start: string
            }[]
            /** @description The reading types that the patient shares with the calling doctor. Left out where all are shared. Readings of other types are not in the answer. */
            limitedTo?: string[]
            message: string
            /** @description Unit of each field; empty for a type that is not in the catalogue. */
            units: {
              [key: string]: string
            }
          }
        }
      }
    }
  }
  streamReadings: {
    parameters: {
      query?: {
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
      }
      header?: {
        /** @description The id of the last event, to go on behind it. Too old a one gets the event `reset`. */
        'last-event-id'?: string
        /** @description Why staff reads, for the access log, which shows it to the patient: 3 to 200 characters in percent-encoded UTF-8. The operator may require it (403 `ReasonRequired`). Other callers need none; theirs is ignored. */
        'x-access-reason'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Events. */
      200: {
        headers: {
          /** @description The same types as limitedTo, with commas; only for a doctor to whom not all are shared. */
          'x-limited-to'?: string
          [name: string]: unknown
        }
        content: {
          'text/event-stream': string
        }
      }
    }
  }
  listReadingTypes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description All types of the catalogue. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['ReadingTypeEntry'][]
            message: string
          }
        }
      }
    }
  }
  withdrawReading: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
          patientUid: string
          /** @description As readings/get gave it. */
          readingId: string
          /** @description Why, for those who read the record. */
          reason?: string
          /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
          timestamp: number
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
  listAttempts: {
    parameters: {
      query: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Id of the endpoint, as endpoints/add gave it. */
        endpointId: string
        /** @description Maximum number of entries per page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Attempts, newest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Attempt'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  addEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description What it is for. */
          description?: string
          /** @description readings.changed: readings that were added, withdrawn or restored. patient.erased: patients whose data was erased. grant.changed: what patients share with doctors. alert.…: what becomes of alerts, where they are switched on. The first three if it is left out. */
          events?: (
            | 'readings.changed'
            | 'patient.erased'
            | 'grant.changed'
            | 'alert.opened'
            | 'alert.reopened'
            | 'alert.acknowledged'
            | 'alert.ended'
          )[]
          /**
           * @description now: what changes from now on. beginning: first all that is stored, but for events of alerts, which it gets from now on.
           * @default now
           * @enum {string}
           */
          from?: 'now' | 'beginning'
          /** @description Only changes of these patients. All patients if it is left out. */
          patientUids?: string[]
          /** @description Only readings and alerts of these types. All types if it is left out. */
          readingTypes?: string[]
          /**
           * @description Messages name what changed, without its content.
           * @default false
           */
          thin?: boolean
          /** @description The https address to call. Addresses that are not public are refused unless the operator allows them. */
          url: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
            /** @description The key of the signatures, as Standard Webhooks writes it. */
            secret: string
          }
        }
      }
    }
  }
  listEndpoints: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Maximum number of endpoints per page. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Endpoints, in the order in which they were added. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['Endpoint'][]
            message: string
            /** @description Send it as cursor for the next page; null on the last. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  pauseEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
    }
  }
  removeEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
  replayEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
          /** @description Changes that were committed since then are sent again, and maybe some before; beginning: all that is stored. */
          since: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
    }
  }
  resumeEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
    }
  }
  rotateEndpointSecret: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
          /**
           * @description How long messages are signed with the secret before too; 0 if it is known to others.
           * @default 24
           */
          overlapHours?: number
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
            /** @description The key of the signatures, as Standard Webhooks writes it. */
            secret: string
          }
        }
      }
    }
  }
  skipPage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
          /** @description Id of the message that is refused: lastMessageId of the newest failure in attempts/list. */
          messageId: string
        }
      }
    }
    responses: {
      /** @description Committed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            endpoint: components['schemas']['Endpoint']
            message: string
          }
        }
      }
    }
  }
  testEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the endpoint, as endpoints/add gave it. */
          endpointId: string
        }
      }
    }
    responses: {
      /** @description The message was sent, or could not be. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            attempt: {
              /** @description How long it took. */
              durationMs: number
              /** @description Why it failed, in one word as in attempts/list; left out if it did not. */
              error?: string
              /** @description webhook-id of the message. */
              messageId: string
              /** @description The HTTP status of the answer, if there was one. */
              status?: number
            }
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
    }
  }
}
