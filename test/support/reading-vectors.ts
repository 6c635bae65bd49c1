// Known readings and the ids that they have for ever. An id that changes makes every reading that is sent again a second
// one, so these are never edited to suit the code. The canonical texts (RFC 8785) were written by hand and the ids computed
// from them by a program that shares nothing with this one: the first 16 bytes of SHA-256, as a UUID of version 8.
type ReadingVector = { name: string; sent: string; canonical: string; readingId: string }

export const READING_VECTORS: ReadingVector[] = [
  {
    name: "the interface's own example",
    sent: '{"patientUid":"patient-1","readingType":"symptom","symptoms":[{"symptom":"headache","severity":"MODERATE"}],"timestamp":1762000000000}',
    canonical:
      '{"patientUid":"patient-1","readingType":"symptom","symptoms":[{"severity":"MODERATE","symptom":"headache"}],"timestamp":1762000000000}',
    readingId: 'a8cc4b5f-bc32-829e-b074-9ccbae1ab403',
  },
  {
    name: 'the same with its fields in another order, white space and escapes',
    sent: '{ "timestamp" : 1.762e12,\n  "symptoms" : [ { "severity" : "MODERATE" , "symptom" : "\\u0068eadache" } ],\n\t"readingType":"symptom", "patientU\\u0069d" : "patient-1" }',
    canonical:
      '{"patientUid":"patient-1","readingType":"symptom","symptoms":[{"severity":"MODERATE","symptom":"headache"}],"timestamp":1762000000000}',
    readingId: 'a8cc4b5f-bc32-829e-b074-9ccbae1ab403',
  },
  {
    name: 'the same instant in seconds, which is another number',
    sent: '{"patientUid":"patient-1","readingType":"symptom","symptoms":[{"symptom":"headache","severity":"MODERATE"}],"timestamp":1762000000}',
    canonical:
      '{"patientUid":"patient-1","readingType":"symptom","symptoms":[{"severity":"MODERATE","symptom":"headache"}],"timestamp":1762000000}',
    readingId: '7a1886c1-a518-8811-a4f8-9fede0627219',
  },
  {
    name: 'a type of the catalogue',
    sent: '{"patientUid":"patient-1","readingType":"heartRate","value":72,"timestamp":1762000000}',
    canonical: '{"patientUid":"patient-1","readingType":"heartRate","timestamp":1762000000,"value":72}',
    readingId: '34e44a26-c788-8696-a608-10075055cbd2',
  },
  {
    name: 'no field beyond those that every reading has',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":0}',
    canonical: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":0}',
    readingId: 'e7d9fd21-795d-82bf-9581-b747e5f31206',
  },
  {
    name: 'a timestamp with a fraction',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000.123456}',
    canonical: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000.123456}',
    readingId: 'dc6f87ac-99cc-8538-91f5-7c486d9acf4b',
  },
  {
    name: 'a patient id beyond ASCII and beyond the basic plane',
    sent: String.raw`{"patientUid":"p\u00e4tient-😀","readingType":"acme.x","timestamp":1762000000000}`,
    canonical: '{"patientUid":"pätient-😀","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '9f525ed0-690f-884c-93cc-5e74ae0d431f',
  },
  {
    name: 'RFC 8785, section 3.2.2: its sample, with the first number in the form that a double keeps',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"numbers":[333333333.3333333,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    canonical: `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"patientUid":"patient-1","readingType":"acme.x","string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/","timestamp":1762000000000}`,
    readingId: 'd0eb218a-e6e5-8643-83fd-b1419b8edbe3',
  },
  {
    name: 'RFC 8785, section 3.2.3: its keys, within a field',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"keys":{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}}`,
    canonical:
      '{"keys":{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"},"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: 'be1d32ac-68b5-8a0b-8134-d9baa14d6abd',
  },
  {
    name: 'RFC 8785, section 3.2.3: its keys as fields of the reading',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
    canonical:
      '{"\\r":2,"1":4,"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    readingId: 'e9606131-0b52-895f-9cb3-afb2dad25170',
  },
  {
    name: 'RFC 8785, appendix B: the smallest and the largest numbers, and whole ones',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"n":[5e-324,-5e-324,1.7976931348623157e308,-1.7976931348623157e308,9007199254740992,-9007199254740992,9007199254740994,295147905179352830000]}',
    canonical:
      '{"n":[5e-324,-5e-324,1.7976931348623157e+308,-1.7976931348623157e+308,9007199254740992,-9007199254740992,9007199254740994,295147905179352830000],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '1308e515-2b66-8809-9480-79298292ba63',
  },
  {
    name: 'RFC 8785, appendix B: where the exponent begins',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"n":[9.999999999999997e22,1e23,1.0000000000000001e23,999999999999999700000,999999999999999900000,1e21,9.999999999999997e-7,0.000001]}',
    canonical:
      '{"n":[9.999999999999997e+22,1e+23,1.0000000000000001e+23,999999999999999700000,999999999999999900000,1e+21,9.999999999999997e-7,0.000001],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '4cea9ee3-26bf-8b94-8eff-0c11d78d2637',
  },
  {
    name: 'RFC 8785, appendix B: neighbours',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"n":[333333333.3333332,333333333.33333325,333333333.3333333,333333333.3333334,333333333.33333343,-0.0000033333333333333333,1424953923781206.2]}',
    canonical:
      '{"n":[333333333.3333332,333333333.33333325,333333333.3333333,333333333.3333334,333333333.33333343,-0.0000033333333333333333,1424953923781206.2],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '17788a2d-d91b-8c90-9de4-d27d01f85dbf',
  },
  {
    name: 'zeros, also below zero, are one zero',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"n":[0,-0,0.0,-0.0,0e9,0E-9]}',
    canonical:
      '{"n":[0,0,0,0,0,0],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '18c358aa-d923-8ac8-8dea-5ba0608745bf',
  },
  {
    name: 'one number in many forms is one number',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"n":[1,1.0,10e-1,1E0,0.1e+1,100e-2,36.600000000000001,36.6]}',
    canonical:
      '{"n":[1,1,1,1,1,1,36.6,36.6],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '20266588-d27a-8fc6-a3e4-1b83c8df0f68',
  },
  {
    name: 'exponents on both sides of their bounds',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"n":[1e20,1e21,1e-6,1e-7,123e-20,12345e16,12345e17]}',
    canonical:
      '{"n":[100000000000000000000,1e+21,0.000001,1e-7,1.23e-18,123450000000000000000,1.2345e+21],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: 'c60bd48a-ece0-8109-a39a-7207267bb277',
  },
  {
    name: 'a text is not a number, and null is neither',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"a":"1","b":1,"c":null,"d":"","e":"null","f":false}',
    canonical:
      '{"a":"1","b":1,"c":null,"d":"","e":"null","f":false,"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: 'a34b73a2-d227-8e77-864c-34c69a2f30b2',
  },
  {
    name: 'a composed character',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"note":"caf\u00e9"}`,
    canonical: '{"note":"café","patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '1f4aae7c-6406-8ecd-ad58-c5578fb73870',
  },
  {
    name: 'the same character decomposed, which is another text',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"note":"cafe\u0301"}`,
    canonical:
      '{"note":"cafe\u0301","patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: 'a1ac6f71-9437-8a6b-8604-57f112894258',
  },
  {
    name: 'control characters: those below U+0020 are escaped, others are not',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"note":"\u0008\u0009\u000A\u000b\u000C\u000d\u0001\u001F\u007f\u0085\u2028\u2029\ufeff\uffff"}`,
    canonical:
      '{"note":"\\b\\t\\n\\u000b\\f\\r\\u0001\\u001f\u007f\u0085\u2028\u2029\ufeff\uffff","patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '4b896022-74f9-8607-8cfc-4e6bf4b0f778',
  },
  {
    name: 'quotes, backslashes and slashes',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"note":"\"\\\/\u0022\u005C\u002f<>&","\"\\":1}`,
    canonical:
      '{"\\"\\\\":1,"note":"\\"\\\\/\\"\\\\/<>&","patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: '28ce7fdb-46eb-87af-8b53-416c0241c5b2',
  },
  {
    name: 'things that are empty',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"a":{},"b":[],"c":[[],{},""],"d":[[[{}]]],"":0}',
    canonical:
      '{"":0,"a":{},"b":[],"c":[[],{},""],"d":[[[{}]]],"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: 'e3c91b6d-b07f-889d-84c6-159fb1bd5c80',
  },
  {
    name: 'keys like numbers are texts, and upper case comes first',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"9":1,"10":2,"1":3,"-1":4,"b":5,"B":6,"a b":7,"ab":8,"a":9}',
    canonical:
      '{"-1":4,"1":3,"10":2,"9":1,"B":6,"a":9,"a b":7,"ab":8,"b":5,"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000}',
    readingId: 'be4f501e-32bf-803d-9a4c-e092d946b93d',
  },
  {
    name: 'a key beyond the basic plane comes before one at its end',
    sent: String.raw`{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"\uff5e":1,"\ud83d\ude00":2,"\ue000":3,"\ud7ff":4}`,
    canonical:
      '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"\ud7ff":4,"😀":2,"\ue000":3,"\uff5e":1}',
    readingId: '7bf4ffdc-a3ed-86b3-ae3e-0a8d7a90b6af',
  },
  {
    name: 'names that objects have of themselves',
    sent: '{"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"toString":1,"constructor":2,"hasOwnProperty":3,"toJSON":4,"length":5,"valueOf":6}',
    canonical:
      '{"constructor":2,"hasOwnProperty":3,"length":5,"patientUid":"patient-1","readingType":"acme.x","timestamp":1762000000000,"toJSON":4,"toString":1,"valueOf":6}',
    readingId: 'f33fb37a-3405-80c2-b566-fdbcd232596b',
  },
]
