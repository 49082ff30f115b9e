// The words that the names of sample people, books and publishers and the texts of reviews are made of. No name is that of
// a real person.

import type { Named } from '../derive.ts'
import type { Random } from './random.ts'

export function personName(random: Random): Named {
  return { firstName: random.pick(firstNames), lastName: random.pick(lastNames) }
}

/** A first name and an initial. */
export function readerName(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames).charAt(0)}.`
}

export function bookTitle(random: Random): string {
  if (random.oneIn(3)) return random.pick(subjectFrames).replace('*', random.pick(subjects))
  if (random.oneIn(2)) return `The ${random.pick(adjectives)} ${random.pick(nouns)}`
  return `The ${random.pick(nouns)} of ${random.pick(places)}`
}

/** A text that fits the rating, from 0 to 10. */
export function reviewText(random: Random, rating: number): string {
  const opinions = rating >= 7 ? praise : rating >= 4 ? shrugs : complaints
  return `${random.pick(opinions)} ${random.pick(remarks)}`
}

export const publisherNames = [
  'Alder & Finch', 'Blue Lantern Books', 'Cobblestone House', 'Driftwood Editions', 'Eleventh Hour Press', 'Fernhill',
  'Grey Heron Books', 'Hazel Court', 'Inkwell & Sons', 'Juniper Row', 'Kingfisher Lane', 'Long Shelf Press',
  'Marginalia House', 'North Quay Books', 'Open Folio', 'Plainspoken Press', 'Quarto Street', 'Rookery Editions',
  'Slow Lamp', 'Tin Roof Books', 'Umber & Oak', 'Verso Gate', 'Wayfarer House',
]

const firstNames = [
  'Amara', 'Bjorn', 'Celia', 'Dmitri', 'Elena', 'Felix', 'Greta', 'Hassan', 'Ingrid', 'Jonas', 'Kavya', 'Leopold', 'Mina',
  'Noor', 'Oskar', 'Paloma', 'Quentin', 'Rosa', 'Stefan', 'Tamsin', 'Ulrich', 'Vera', 'Winona', 'Yusuf', 'Zora',
]
const lastNames = [
  'Abernethy', 'Banerjee', 'Bexley', 'Calloway', 'Castellan', 'Drummond', 'Dunmore', 'Eastgate', 'Farrow', 'Fontaine',
  'Greaves', 'Hollis', 'Ivarsen', 'Jansson', 'Kowalczyk', 'Lindqvist', 'Marchetti', 'Nakagawa', 'Okafor', 'Petrescu',
  'Quill', 'Rasmussen', 'Sandoval', 'Tremblay', 'Umarov', 'Vantongeren', 'Whitlock', 'Yildiran', 'Zeman', 'Adeyemi',
]

const adjectives = [
  'Borrowed', 'Careful', 'Crooked', 'Distant', 'Hollow', 'Northern', 'Ordinary', 'Paper', 'Patient', 'Quiet', 'Salt',
  'Second', 'Silver', 'Slow', 'Unfinished', 'Wandering',
]
const nouns = [
  'Archive', 'Bridge', 'Cartographer', 'Clockmaker', 'Garden', 'Harbour', 'Island', 'Ledger', 'Letter', 'Library',
  'Lighthouse', 'Meadow', 'Orchard', 'Passage', 'River', 'Winter',
]
const places = [
  'Alder Bay', 'Elmstead Cross', 'Far Linden', 'Kestrel Point', 'Low Marsh', 'Marrow Hill', 'Oxlip Street', 'Saltmere',
  'Thornwick', 'Upper Vane', 'Whistle Down', 'Yarrow Ferry',
]
const subjects = [
  'Batching', 'Caching', 'Consistency', 'Data Modelling', 'Distributed Systems', 'Document Databases', 'Event Streams',
  'Indexing', 'Partitioning', 'Query Planning', 'Schema Design', 'Storage Engines',
]
// The placeholder is ASCII: V8 stores a string that had a wider character in two bytes per character, even after it is replaced.
const subjectFrames = [
  '* by Example', '* for the Impatient', '* in Practice', 'A Short History of *', 'Everyday *', 'Learning *', 'Notes on *',
  'Practical *', 'Second Thoughts on *', 'Understanding *',
]

const praise = [
  'A joy from beginning to end.', 'I bought a second copy to lend.', 'Clear, warm and never too long.',
  'Read it in one weekend.', 'The best I have read this year.', 'It changed how I work.',
]
const shrugs = [
  'Good in parts.', 'Worth borrowing, perhaps not buying.', 'Solid, though it takes its time.',
  'I liked the idea more than the book.', 'Does what it says and no more.',
]
const complaints = [
  'Not for me.', 'I gave up halfway.', 'Twice as long as it should be.', 'The title promises another book.',
]
const remarks = [
  'The first chapter stands on its own.', 'The examples were well chosen.', 'Chapter four could have been a page.',
  'The drawings help a great deal.', 'I missed an index.', 'The ending came as a surprise.', 'The print is rather small.',
  'My reading group argued about it for hours.', 'The notes are as good as the text.', 'The cover does it no favours.',
]
