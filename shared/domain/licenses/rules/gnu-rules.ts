import { isClosed } from '../category.ts';
import { gnuMayContain } from '../gnu.ts';
import type { Pair, Rule } from './rule.ts';

const matrix = 'https://www.gnu.org/licenses/gpl-faq.html#AllCompatibility';

const mayContain = ({ gnuA, gnuB }: Pair): boolean | undefined =>
  gnuA && gnuB && gnuMayContain(gnuA, gnuB);

const isLibraryInto = ({ gnuA, gnuB }: Pair): boolean =>
  gnuA?.kind === 'LGPL' && gnuB === undefined;

/** Code under the GNU licenses. B is the license of the whole, so that `-or-later` promises later versions of all of it. */
export const gnuRules: readonly Rule[] = [
  {
    id: 'gnu-lgpl-library',
    verdict: 'compatible',
    source: matrix,
    applies: (pair) =>
      pair.gnuA?.kind === 'LGPL' && pair.gnuB?.kind === 'LGPL' && mayContain(pair) === true,
    explain: (a, b) =>
      `Use the code as a library: it stays under ${a} and replaceable, and your own code may be under ${b}.`,
  },
  {
    id: 'gnu-compatible',
    verdict: 'compatible',
    source: matrix,
    applies: (pair) => mayContain(pair) === true,
    explain: (a, b) => `${a} allows works as a whole under ${b}: keep its notices.`,
  },
  {
    id: 'gnu-gpl-3-needs-3',
    verdict: 'incompatible',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#v2v3Compatibility',
    applies: (pair) =>
      mayContain(pair) === false && (pair.gnuA?.version ?? 0) >= 3 && (pair.gnuB?.version ?? 0) < 3,
    explain: (a, b) =>
      `${a} demands version 3 of the whole, which ${b} does not keep: release the whole under version 3, or do without the code.`,
  },
  {
    id: 'gnu-incompatible',
    verdict: 'incompatible',
    source: matrix,
    applies: (pair) => mayContain(pair) === false,
    explain: (a, b) =>
      `A whole with code under ${a} must be under ${a}, and ${b} gives other permissions: release it under ${a}, or do without the code.`,
  },
  {
    id: 'gnu-into-other-terms',
    verdict: 'incompatible',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#WhatDoesCompatMean',
    applies: ({ gnuA, gnuB }) => gnuA !== undefined && gnuA.kind !== 'LGPL' && gnuB === undefined,
    explain: (a, b) =>
      `${a} demands that the whole work be under ${a}: release it so instead of under ${b}, or do without the code.`,
  },
  {
    id: 'lgpl-into-closed',
    verdict: 'unknown',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#LGPLStaticVsDynamic',
    applies: (pair) => isLibraryInto(pair) && isClosed(pair.b.category),
    explain: (a, b) =>
      `${a} allows it as a replaceable library if ${b} permits changes for own use and reverse engineering to debug them: check that it does.`,
  },
  {
    id: 'lgpl-library',
    verdict: 'compatible',
    source: 'https://www.gnu.org/licenses/lgpl-3.0.html#section4',
    applies: (pair) =>
      isLibraryInto(pair) &&
      ['public-domain', 'permissive', 'weak-copyleft'].includes(pair.b.category),
    explain: (a, b) =>
      `Use the code as a library: it stays under ${a} and replaceable, and the rest may be under ${b}.`,
  },
];
