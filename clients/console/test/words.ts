// For tests in Node of functions that write sentences: those of English, as a browser would have loaded them.
import { loadWords } from '../src/words/words.ts'

await loadWords()
