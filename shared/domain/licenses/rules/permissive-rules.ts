import {
  advertisingClause,
  compatibleByFsf,
  compatibleByOsadl,
  compatibleWithCopyleftByOsadl,
  compatibleWithGpl3ByFsf,
  copyleftOfOsadl,
  gplClauses,
  incompatibleByFsf,
  licenseList,
  osadlMatrix,
  unconditional,
} from '../gpl-compatibility.ts';
import type { Pair, Rule } from './rule.ts';

/** What the published lists call the GPL starts with version 2. */
const isListedGnu = ({ gnuB }: Pair): boolean =>
  gnuB !== undefined && gnuB.version >= (gnuB.kind === 'AGPL' ? 3 : 2);

const keepNotices = (a: string, b: string): string =>
  `${a} is compatible with works under ${b} by the list: keep its notices with the code.`;

/** Code that goes into works under GNU licenses by published lists, whatever its category. */
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

/** Code under permissive licenses in works that are not under GNU licenses. */
export const permissiveRules: readonly Rule[] = [
  {
    id: 'permissive-into-copyleft',
    verdict: 'compatible',
    source: osadlMatrix,
    applies: ({ a, b }) => compatibleWithCopyleftByOsadl.has(a.name) && copyleftOfOsadl.has(b.name),
    explain: keepNotices,
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
