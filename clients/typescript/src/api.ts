// Made from the OpenAPI document by `npm run generate:client`. Do not edit.
export interface paths {
  '/appointments/doctors/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get doctors list
     * @description In order of name without regard to case and accents. Filters may be combined. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.
     */
    get: operations['listDoctors']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/appointments/doctors/specialities/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get doctor specialties list
     * @description Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.
     */
    get: operations['listSpecialities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/add': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add readings of the patient
     * @description Stores one reading, or all or none of up to 1,000. Sending the same reading again stores it once and answers Ok each time, so any request may be repeated. One reading may take 64 KiB, a list 4 MiB.
     */
    post: operations['addReadings']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/get': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Fetch readings of the patient
     * @description Both ends of the range are included; either may be left out. patientUid may be left out when the token names exactly one patient. Every read is logged before it is answered.
     */
    get: operations['getReadings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/latest': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Fetch the newest reading of each type
     * @description The newest is the one measured last, whenever it arrived. patientUid may be left out when the token names exactly one patient. Every read is logged before it is answered.
     */
    get: operations['latestReadings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/casesheet/readings/statistics': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Summarise readings of one type by hour, day, week or month
     * @description Readings between from and to count, both included, as in readings/get; buckets are whole, and at most 5000. Values are those of the catalogue, or of any other type the fields that are numbers. patientUid may be left out when the token names exactly one patient. Every read is logged before it is answered.
     */
    get: operations['readingStatistics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /**
     * @example {
     *       "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
     *       "name": "Dr. Invented Example",
     *       "gender": "female",
     *       "specialities": [
     *         {
     *           "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11",
     *           "title": "Ear, Nose & Throat"
     *         }
     *       ],
     *       "qualifications": [
     *         "MBBS",
     *         "MS"
     *       ],
     *       "registrationNumber": "EXAMPLE-12345",
     *       "languages": [
     *         "en-IN",
     *         "hi"
     *       ],
     *       "experienceYears": 12,
     *       "city": "Pune",
     *       "photoUrl": null,
     *       "isActive": true,
     *       "created": "2026-01-15T09:30:00.000Z"
     *     }
     */
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
      /** @description Language tags of BCP 47. */
      languages: string[]
      name: string
      /** @description An http(s) address. */
      photoUrl: string | null
      qualifications: string[]
      /** @description As given by the medical council; unique. */
      registrationNumber: string | null
      /** @description The main one first. */
      specialities: {
        specialityId: string
        title: string
      }[]
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
        | 'NotFound'
        | 'MethodNotAllowed'
        | 'RequestTimeout'
        | 'BodyTooLarge'
        | 'UnsupportedMediaType'
        | 'RateLimited'
        | 'HeadersTooLarge'
        | 'InternalError'
        | 'Overloaded'
        | 'DatabaseUnavailable'
        | 'IssuerUnavailable'
      errors?: {
        message: string
        /** @description JSON Pointer to the field; query parameters as /name. */
        pointer: string
      }[]
      /** @description A sentence for people. It never carries personal data. */
      message: string
      /** @description The x-request-id of this answer, to quote when asking for help. */
      requestId: string
      /** @description Whether the same request may succeed later, unchanged. */
      retryable: boolean
      /** @enum {string} */
      status: 'error'
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "heartRate",
     *       "value": 72,
     *       "timestamp": 1762000000000
     *     }
     */
    OtherReading: {
      /** @description Given by the service. */
      measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readingId?: never
      /** @description Kind of reading. `symptom` is used for symptom readings; any other type is accepted too. */
      readingType: string
      /** @description Given by the service. */
      receivedAt?: never
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
    } & {
      [key: string]: unknown
    }
    /** @description A reading. Fields beyond those named are kept and returned as they were sent. */
    Reading: components['schemas']['SymptomReading'] | components['schemas']['OtherReading']
    /**
     * @example {
     *       "slug": "Ear, Nose & Throat",
     *       "title": "Ear, Nose & Throat",
     *       "created": "2026-01-15T09:30:00.000Z",
     *       "isActive": true,
     *       "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11"
     *     }
     */
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
    /** @description The reading as it was sent, with the three fields that the service gives. */
    StoredReading: {
      /**
       * Format: date-time
       * @description The instant that timestamp means, in UTC.
       */
      measuredAt: string
      patientUid: string
      /**
       * Format: uuid
       * @description Made from the content of the reading.
       */
      readingId: string
      readingType: string
      /** Format: date-time */
      receivedAt: string
      /** @description The very number that was sent. */
      timestamp: number
    } & {
      [key: string]: unknown
    }
    /**
     * @example {
     *       "patientUid": "patient-1",
     *       "readingType": "symptom",
     *       "symptoms": [
     *         {
     *           "symptom": "headache",
     *           "severity": "MODERATE"
     *         }
     *       ],
     *       "timestamp": 1762000000000
     *     }
     */
    SymptomReading: {
      /** @description Given by the service. */
      measuredAt?: never
      /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
      patientUid: string
      /** @description Given by the service. */
      readingId?: never
      /** @enum {string} */
      readingType: 'symptom'
      /** @description Given by the service. */
      receivedAt?: never
      symptoms: {
        /** @description An upper-case label; MILD, MODERATE and SEVERE are the usual ones. */
        severity: string
        symptom: string
      }[]
      /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
      timestamp: number
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
export type $defs = Record<string, never>
export interface operations {
  listDoctors: {
    parameters: {
      query?: {
        /** @description Only doctors in this city, in any case, accents ignored. */
        city?: string
        /** @description nextCursor of the page before, with the same other parameters. */
        cursor?: string
        /** @description Only doctors who speak it; `en` also finds `en-IN`. */
        language?: string
        /** @description At most so many. */
        limit?: number
        /** @description Part of a name, in any case, accents ignored. */
        q?: string
        /** @description Only doctors of this specialty. */
        specialityId?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Doctors in order of name. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Doctors obtained successfully.",
           *       "data": [
           *         {
           *           "doctorId": "7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10",
           *           "name": "Dr. Invented Example",
           *           "gender": "female",
           *           "specialities": [
           *             {
           *               "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11",
           *               "title": "Ear, Nose & Throat"
           *             }
           *           ],
           *           "qualifications": [
           *             "MBBS",
           *             "MS"
           *           ],
           *           "registrationNumber": "EXAMPLE-12345",
           *           "languages": [
           *             "en-IN",
           *             "hi"
           *           ],
           *           "experienceYears": 12,
           *           "city": "Pune",
           *           "photoUrl": null,
           *           "isActive": true,
           *           "created": "2026-01-15T09:30:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
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
      /** @description The page is the one that If-None-Match names. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests of this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description A fault on our side. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too busy, or the database or the token issuer is away; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
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
      /** @description All specialities in order of title, active or not. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Specialities obtained successfully.",
           *       "data": [
           *         {
           *           "slug": "Ear, Nose & Throat",
           *           "title": "Ear, Nose & Throat",
           *           "created": "2026-01-15T09:30:00.000Z",
           *           "isActive": true,
           *           "specialityId": "2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            data: components['schemas']['Speciality'][]
            message: string
            /** @enum {string} */
            status: 'success'
          }
        }
      }
      /** @description The list is the one that If-None-Match names. */
      304: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The request is not valid; `errors` points at each wrong field. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests of this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description A fault on our side. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too busy, or the database or the token issuer is away; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  addReadings: {
    parameters: {
      query?: never
      header?: never
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
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "The reading was added successfully."
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this. The answer is the same whether or not that patient exists. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is too large. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The body is not plain application/json. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests of this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description A fault on our side. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too busy, or the database or the token issuer is away; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
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
        /** @description Answer a page of at most so many, or fewer when they are large. Without it the whole range is streamed. */
        limit?: number
        /** @description Oldest first (asc, the default) or newest first. */
        order?: 'asc' | 'desc'
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Only readings of this type; may be repeated. */
        readingType?: string[]
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The readings in order of time. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Readings obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "symptom",
           *           "timestamp": 1762000000000,
           *           "symptoms": [
           *             {
           *               "symptom": "headache",
           *               "severity": "MODERATE"
           *             }
           *           ],
           *           "readingId": "3d1f6c2e-8b0a-8f4e-9c57-2a1b0c9d8e7f",
           *           "measuredAt": "2025-11-01T12:26:40.000Z",
           *           "receivedAt": "2025-11-01T12:26:41.250Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['StoredReading'][]
            message: string
            nextCursor: string | null
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this. The answer is the same whether or not that patient exists. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests of this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description A fault on our side. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too busy, or the database or the token issuer is away; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
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
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The newest reading of each type, in order of their types; none of a type that was never sent. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Latest readings obtained successfully.",
           *       "data": [
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "bodyWeight",
           *           "timestamp": 1761955200,
           *           "value": 71.4,
           *           "readingId": "b7e1f0c2-5a3d-8e6f-a4c9-1d2e3f4a5b6c",
           *           "measuredAt": "2025-11-01T00:00:00.000Z",
           *           "receivedAt": "2025-11-01T00:00:01.125Z"
           *         },
           *         {
           *           "patientUid": "patient-1",
           *           "readingType": "symptom",
           *           "timestamp": 1762000000000,
           *           "symptoms": [
           *             {
           *               "symptom": "headache",
           *               "severity": "MODERATE"
           *             }
           *           ],
           *           "readingId": "3d1f6c2e-8b0a-8f4e-9c57-2a1b0c9d8e7f",
           *           "measuredAt": "2025-11-01T12:26:40.000Z",
           *           "receivedAt": "2025-11-01T12:26:41.250Z"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: components['schemas']['StoredReading'][]
            message: string
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this. The answer is the same whether or not that patient exists. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests of this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description A fault on our side. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too busy, or the database or the token issuer is away; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  readingStatistics: {
    parameters: {
      query: {
        /** @description How long a bucket is: day by default. Weeks begin on Monday. */
        bucket?: 'hour' | 'day' | 'week' | 'month'
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        from: number
        /** @description Unique id of the patient. It must be in the token; it is compared exactly. */
        patientUid?: string
        /** @description Kind of reading. `symptom` is used for symptom readings; any other type is accepted too. */
        readingType: string
        /**
         * @description The IANA time zone whose calendar is meant, such as Europe/Berlin; UTC by default.
         * @example Europe/Berlin
         */
        timeZone?: string
        /** @description Epoch seconds when below 100000000000, epoch milliseconds from there on. */
        to: number
        /**
         * @description The UCUM unit that values are brought to; by default the first one of the type.
         * @example mg/dL
         */
        unit?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Every bucket from the one that holds from to the one that holds to, also the empty ones. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "code": "Ok",
           *       "message": "Statistics obtained successfully.",
           *       "data": [
           *         {
           *           "start": "2025-10-24T22:00:00.000Z",
           *           "end": "2025-10-25T22:00:00.000Z",
           *           "localStart": "2025-10-25T00:00:00+02:00",
           *           "count": 3,
           *           "fields": {
           *             "value": {
           *               "count": 3,
           *               "min": 64,
           *               "max": 88,
           *               "mean": 74,
           *               "p50": 70,
           *               "p95": 86.2,
           *               "first": 70,
           *               "last": 64
           *             }
           *           }
           *         },
           *         {
           *           "start": "2025-10-25T22:00:00.000Z",
           *           "end": "2025-10-26T23:00:00.000Z",
           *           "localStart": "2025-10-26T00:00:00+02:00",
           *           "count": 0,
           *           "fields": {}
           *         }
           *       ],
           *       "units": {
           *         "value": "/min"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            code: 'Ok'
            data: {
              /** @description How many readings of the type; 0 in an empty bucket. */
              count: number
              /**
               * Format: date-time
               * @description Where the next begins: not in this bucket.
               */
              end: string
              /** @description Each field that has a number in this bucket; none in an empty one. */
              fields: {
                [key: string]: {
                  /** @description How many readings have a number here. */
                  count: number
                  /** @description Of the reading measured first. */
                  first: number
                  /** @description Of the reading measured last. */
                  last: number
                  max: number
                  mean: number
                  min: number
                  /** @description The median. Between two values it is interpolated, as p95 is. */
                  p50: number
                  /** @description The value at place 0.95 × (count − 1) of the sorted values. */
                  p95: number
                }
              }
              /**
               * Format: date-time
               * @description The start on the local clock.
               */
              localStart: string
              /**
               * Format: date-time
               * @description The first instant of the bucket, in UTC.
               */
              start: string
            }[]
            message: string
            /** @description The unit of each field; none for a type that is not in the catalogue. */
            units: {
              [key: string]: string
            }
          }
        }
      }
      /** @description The request is not valid; `errors` points at each wrong field. */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token is missing, not valid, or expired; see WWW-Authenticate. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description The token does not allow this. The answer is the same whether or not that patient exists. */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too many requests of this subject; see Retry-After and RateLimit. */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description A fault on our side. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Too busy, or the database or the token issuer is away; try again after Retry-After. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
}
