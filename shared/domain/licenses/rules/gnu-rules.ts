import { isClosed } from '../category.ts';
import { type GnuLicense, gnuMayContain } from '../gnu.ts';
import type { Pair, Rule } from './compatibility-rule.ts';

const matrix = 'https://www.gnu.org/licenses/gpl-faq.html#AllCompatibility';
const section13OfGpl = 'https://www.gnu.org/licenses/gpl-3.0.html#section13';
const agpl = 'https://www.gnu.org/licenses/agpl-3.0.html';

const mayContain = ({ gnuA, gnuB }: Pair): boolean | undefined =>
  gnuA && gnuB && gnuMayContain(gnuA, gnuB);

const isLibraryInto = ({ gnuA, gnuB }: Pair): boolean =>
  gnuA?.kind === 'LGPL' && gnuB === undefined;

const texts: Readonly<Record<string, string>> = {
  'LGPL-2.0': 'https://www.gnu.org/licenses/old-licenses/lgpl-2.0.html',
  'LGPL-2.1': 'https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html',
  'LGPL-3.0': 'https://www.gnu.org/licenses/lgpl-3.0.html#section4',
  'AGPL-3.0': `${agpl}#section14`,
};

/**
 * Returns the URL of license A's text, for rules on libraries or later versions. The GPL's matrix does not cover them.
 */
const explainOwnText = (name: string): string =>
  texts[name.replace(/-(?:only|or-later)$/, '')] ?? `https://spdx.org/licenses/${name}.html`;

const isAgpl = ({ kind, version }: GnuLicense): boolean => kind === 'AGPL' && version >= 3;

/** True for code under version 3 of the GPL in a work under the AGPL. */
const isGpl3IntoAgpl = ({ gnuA, gnuB }: Pair): boolean =>
  gnuA?.kind === 'GPL' && gnuB !== undefined && isAgpl(gnuB);

const isAgplIntoGpl3 = ({ gnuA, gnuB }: Pair): boolean =>
  gnuA !== undefined && isAgpl(gnuA) && gnuB?.kind === 'GPL' && gnuB.version >= 3;

const needsVersion3 = (pair: Pair): boolean =>
  mayContain(pair) === false && (pair.gnuA?.version ?? 0) >= 3 && (pair.gnuB?.version ?? 0) < 3;

/** Returns the license of a work with code under `a`, which requires version 3. */
const describeWhole = (a: string): string => (a.startsWith('LGPL-') ? 'GPL-3.0-or-later' : a);

/** Rules on code under GNU licenses. B is the license of the whole work: its `-or-later` covers all parts. */
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
    id: 'gpl-3-into-agpl',
    verdict: 'compatible',
    source: section13OfGpl,
    applies: (pair) => mayContain(pair) === true && isGpl3IntoAgpl(pair),
    explain: (a, b) =>
      `Section 13 of version 3 of the GPL allows it: the code stays under ${a}, and the terms of ${b} on use over a network hold for the whole.`,
  },
  {
    id: 'gpl-3-into-later-agpl',
    verdict: 'incompatible',
    source: section13OfGpl,
    applies: (pair) =>
      mayContain(pair) === false && isGpl3IntoAgpl(pair) && pair.gnuA?.version === 3,
    explain: (a, b) =>
      `Section 13 of ${a} allows version 3 of the AGPL and no later one, which ${b} offers too: release the whole under AGPL-3.0-only.`,
  },
  {
    id: 'gnu-compatible',
    verdict: 'compatible',
    source: ({ name }, b) => (b.name.startsWith('AGPL-') ? explainOwnText(name) : matrix),
    applies: (pair) => mayContain(pair) === true,
    explain: (a, b) => `${a} allows works as a whole under ${b}: keep its notices.`,
  },
  {
    id: 'gnu-gpl-3-into-choice-of-2',
    verdict: 'incompatible',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#v2v3Compatibility',
    applies: (pair) => needsVersion3(pair) && pair.gnuB?.orLater === true,
    explain: (a, b) =>
      `${b} lets recipients of the whole choose a version before 3, which ${a} does not allow: release the whole under ${describeWhole(a)}.`,
  },
  {
    id: 'gnu-gpl-3-needs-3',
    verdict: 'incompatible',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#v2v3Compatibility',
    applies: needsVersion3,
    explain: (a, b) =>
      `${a} demands version 3 of the whole, which ${b} does not keep: release the whole under ${describeWhole(a)}, or do without the code.`,
  },
  {
    id: 'agpl-into-gpl-3',
    verdict: 'incompatible',
    source: `${agpl}#section13`,
    applies: (pair) => mayContain(pair) === false && isAgplIntoGpl3(pair),
    explain: (a, b) =>
      `Section 13 of ${a} allows combining, with the other parts left under version 3 of the GPL, but the code stays under ${a}: name both licenses instead of ${b} alone, or do without the code.`,
  },
  {
    id: 'gnu-incompatible',
    verdict: 'incompatible',
    source: ({ name }) => (name.startsWith('AGPL-') ? explainOwnText(name) : matrix),
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
    source: ({ name }) => explainOwnText(name),
    applies: (pair) =>
      isLibraryInto(pair) &&
      ['public-domain', 'permissive', 'weak-copyleft'].includes(pair.b.category),
    explain: (a, b) =>
      `Use the code as a library: it stays under ${a} and replaceable, and the rest may be under ${b}.`,
  },
];
