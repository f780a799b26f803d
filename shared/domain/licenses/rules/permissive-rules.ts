import { isClosed } from '../category.ts';
import {
  advertisingClause,
  compatibleByFsf,
  compatibleByOsadl,
  compatibleWithCopyleftByOsadl,
  compatibleWithGpl1ByOsadl,
  compatibleWithGpl3ByFsf,
  copyleftOfOsadl,
  gplClauses,
  incompatibleByFsf,
  incompatibleByOsadl,
  incompatibleWithGpl1ByOsadl,
  licenseList,
  noticesAlone,
  osadlMatrix,
  unconditional,
} from '../gpl-compatibility.ts';
import type { Pair, Rule } from './compatibility-rule.ts';

/** True if B is a GNU license in published lists, which start with version 2 of the GPL. */
const isListedGnu = ({ gnuB }: Pair): boolean =>
  gnuB !== undefined && gnuB.version >= (gnuB.kind === 'AGPL' ? 3 : 2);

const isFirstGpl = ({ gnuB }: Pair): boolean => gnuB?.kind === 'GPL' && gnuB.version === 1;

const keepNotices = (a: string, b: string): string =>
  `${a} is compatible with works under ${b} by the list: keep its notices with the code.`;

/** Rules for code in works under GNU licenses, based on published lists and independent of its category. */
export const gplListRules: readonly Rule[] = [
  {
    id: 'no-conditions',
    verdict: 'compatible',
    source: 'https://www.gnu.org/licenses/gpl-faq.html#WhatDoesCompatMean',
    applies: ({ a }) => unconditional.has(a.name),
    explain: (a, b) => `${a} sets no conditions: use the code in works under ${b} as you like.`,
  },
  {
    id: 'apache-2.0-into-gpl-2',
    verdict: 'incompatible',
    source: 'https://www.apache.org/licenses/GPL-compatibility.html',
    applies: (pair) =>
      pair.a.name === 'Apache-2.0' && isListedGnu(pair) && (pair.gnuB?.version ?? 0) < 3,
    explain: (a, b) =>
      `The patent terms of ${a} go beyond version 2 of the GPL, which ${b} lets recipients choose: release the whole under GPL-3.0-or-later.`,
  },
  {
    id: 'gpl-3-compatible-by-fsf',
    verdict: 'compatible',
    source: licenseList,
    applies: ({ a, gnuB }) =>
      compatibleWithGpl3ByFsf.has(a.name) && gnuB !== undefined && gnuB.version >= 3,
    explain: keepNotices,
  },
  {
    id: 'gpl-3-alone-by-fsf',
    verdict: 'incompatible',
    source: licenseList,
    applies: (pair) => compatibleWithGpl3ByFsf.has(pair.a.name) && isListedGnu(pair),
    explain: (a, b) =>
      `${a} is compatible with version 3 of the GPL alone, not with ${b}: release the whole under GPL-3.0-or-later.`,
  },
  {
    id: 'gpl-compatible-by-clause',
    verdict: 'compatible',
    source: licenseList,
    applies: (pair) => gplClauses.has(pair.a.name) && isListedGnu(pair),
    explain: (a, b) =>
      `${a} is compatible with the GPL by ${gplClauses.get(a.replace(/\+$/, '')) ?? 'its own clause'}: use that for the work under ${b}.`,
  },
  {
    id: 'gpl-compatible-by-fsf',
    verdict: 'compatible',
    source: licenseList,
    applies: (pair) => compatibleByFsf.has(pair.a.name) && isListedGnu(pair),
    explain: keepNotices,
  },
  {
    id: 'gpl-compatible-by-osadl',
    verdict: 'compatible',
    source: osadlMatrix,
    applies: (pair) => compatibleByOsadl.has(pair.a.name) && isListedGnu(pair),
    explain: keepNotices,
  },
  {
    id: 'gpl-1-compatible-by-osadl',
    verdict: 'compatible',
    source: osadlMatrix,
    applies: (pair) => isFirstGpl(pair) && compatibleWithGpl1ByOsadl.has(pair.a.name),
    explain: keepNotices,
  },
  {
    id: 'gpl-1-incompatible-by-osadl',
    verdict: 'incompatible',
    source: osadlMatrix,
    applies: (pair) => isFirstGpl(pair) && incompatibleWithGpl1ByOsadl.has(pair.a.name),
    explain: (a, b) =>
      `${a} sets conditions that ${b} does not allow to pass on: replace the code, or release the whole under another version.`,
  },
  {
    id: 'notices-alone',
    verdict: 'compatible',
    source: ({ name }) => noticesAlone.get(name) ?? null,
    applies: (pair) => noticesAlone.has(pair.a.name) && (isListedGnu(pair) || isFirstGpl(pair)),
    explain: (a, b) =>
      `The text of ${a} asks for its own notices alone, which a work under ${b} can carry: keep them with the code.`,
  },
  {
    id: 'gpl-incompatible-by-osadl',
    verdict: 'incompatible',
    source: osadlMatrix,
    applies: (pair) => incompatibleByOsadl.has(pair.a.name) && isListedGnu(pair),
    explain: (a, b) =>
      `${a} demands an acknowledgement that ${b} does not allow to demand: replace the code, or ask its authors for other terms.`,
  },
  {
    id: 'advertising-clause-deleted',
    verdict: 'compatible',
    source: 'https://spdx.org/licenses/BSD-4-Clause-UC.html',
    applies: (pair) => pair.a.name === 'BSD-4-Clause-UC' && isListedGnu(pair),
    explain: (a, b) =>
      `The University of California deleted the advertising clause of ${a} from its code on 22 July 1999: keep the other notices in the work under ${b}, and ask any other holder of the copyright.`,
  },
  {
    id: 'advertising-clause',
    verdict: 'incompatible',
    source: `${licenseList}#OriginalBSD`,
    applies: (pair) => advertisingClause.has(pair.a.name) && isListedGnu(pair),
    explain: (a, b) =>
      `${a} demands acknowledgements in advertising, which ${b} does not allow to demand: ask for the code under BSD-3-Clause, or replace it.`,
  },
  {
    id: 'epl-2-secondary-license',
    verdict: 'incompatible',
    source: `${licenseList}#EPL2`,
    applies: ({ a, gnuB }) => a.name === 'EPL-2.0' && gnuB?.kind === 'GPL' && gnuB.version >= 2,
    explain: (a, b) =>
      `${a} does not allow ${b}, unless the notice of the code names the GPL as a Secondary License: look for it there, or ask the authors to add it.`,
  },
  {
    id: 'gpl-incompatible-by-fsf',
    verdict: 'incompatible',
    source: licenseList,
    applies: (pair) => incompatibleByFsf.has(pair.a.name) && isListedGnu(pair),
    explain: (a, b) =>
      `${a} sets conditions that ${b} does not allow to pass on: replace the code, or ask its authors for a linking exception.`,
  },
];

/** Rules for code under permissive licenses in works outside GNU licenses. */
export const permissiveRules: readonly Rule[] = [
  {
    id: 'permissive-into-copyleft',
    verdict: 'compatible',
    source: osadlMatrix,
    applies: ({ a, b }) => compatibleWithCopyleftByOsadl.has(a.name) && copyleftOfOsadl.has(b.name),
    explain: keepNotices,
  },
  {
    id: 'ms-pl-source-stays',
    verdict: 'incompatible',
    source: 'https://spdx.org/licenses/MS-PL.html',
    applies: ({ a, b }) => a.name === 'MS-PL' && !isClosed(b.category),
    explain: (a, b) =>
      `By section 3(D) of ${a}, its source code stays under ${a} alone: keep the code in a library of its own instead of a work under ${b}.`,
  },
  {
    id: 'ms-pl-compiled',
    verdict: 'unknown',
    source: 'https://spdx.org/licenses/MS-PL.html',
    applies: ({ a }) => a.name === 'MS-PL',
    explain: (a, b) =>
      `By section 3(D) of ${a}, compiled code may be under a license that complies with it: read whether ${b} does.`,
  },
  {
    // OSADL's matrix forbids this combination, although it is common in practice.
    id: 'apache-2.0-into-mpl-1.1',
    verdict: 'unknown',
    source: osadlMatrix,
    applies: ({ a, b }) => a.name === 'Apache-2.0' && b.name === 'MPL-1.1',
    explain: (a, b) =>
      `Section 3.1 of ${b} forbids further terms on source code, and it is in doubt whether those of ${a} on patents are: release the whole under MPL-2.0.`,
  },
  {
    id: 'permissive',
    verdict: 'compatible',
    source: 'https://blueoakcouncil.org/list',
    applies: ({ a, b, gnuB }) =>
      a.category === 'permissive' &&
      gnuB === undefined &&
      b.category !== 'copyleft' &&
      b.category !== 'network-copyleft',
    explain: (a, b) => `${a} lets works be under ${b}: keep its notices with the code.`,
  },
];
