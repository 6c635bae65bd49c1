// The form in which names and cities are compared and ordered: any case, accents ignored. The importer stores it, and a
// search makes the same of what the caller typed, so both must come from here; a change of it needs a new import.

// Accents are marks that scripts share, and the vowel points of Hebrew and Arabic, which writers leave out. The vowel
// signs of other scripts are letters in all but name: without them राम (Ram) and रोम (Rom) would be one.
const ACCENTS = /[[\p{M}&&[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}]]\p{Cf}]/gv

// What Unicode does not take apart, though readers of other languages type it without its stroke or tail.
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '–': '-',
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

export function searchKeyOf(text: string): string {
  return plainLettersOf(text.toLowerCase()).replace(/\s+/g, ' ').trim()
}

function plainLettersOf(text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)
}
