import { osadlMatrix } from '../gpl-compatibility.ts';
import type { Pair, Rule } from './compatibility-rule.ts';

/** Licenses whose files may be part of a larger work under any terms, with the URL of that clause. */
const largerWorkTexts: Readonly<Record<string, string>> = {
  'MPL-2.0': 'https://www.mozilla.org/en-US/MPL/2.0/#distribution-of-a-larger-work',
  'MPL-2.0-no-copyleft-exception':
    'https://www.mozilla.org/en-US/MPL/2.0/#distribution-of-a-larger-work',
  'MPL-1.1': 'https://www.mozilla.org/en-US/MPL/1.1/',
  'CDDL-1.0': 'https://spdx.org/licenses/CDDL-1.0.html',
  'CDDL-1.1': 'https://spdx.org/licenses/CDDL-1.1.html',
  'CPAL-1.0': 'https://spdx.org/licenses/CPAL-1.0.html',
};

const eclipse = new Set(['EPL-1.0', 'EPL-2.0', 'CPL-1.0', 'IPL-1.0']);

const isOpenOrClosed = ({ b }: Pair): boolean =>
  b.category !== 'copyleft' && b.category !== 'network-copyleft';

/** True if B is a secondary license of the MPL: GPL 2.0, LGPL 2.1, AGPL 3.0 or a later version. */
const isSecondary = ({ gnuB }: Pair): boolean => {
  const oldest = { GPL: 2, LGPL: 2.1, AGPL: 3 };
  return gnuB !== undefined && gnuB.version >= oldest[gnuB.kind];
};

/** Rules on copyleft that covers files or modules rather than the whole work. */
export const weakCopyleftRules: readonly Rule[] = [
  {
    id: 'mpl-secondary-license',
    verdict: 'compatible',
    source: 'https://www.mozilla.org/en-US/MPL/2.0/#secondary-licenses',
    applies: (pair) => pair.a.name === 'MPL-2.0' && isSecondary(pair),
    explain: (a, b) =>
      `${a} names ${b} as a secondary license: offer the files under both in the work under ${b}.`,
  },
  {
    id: 'mpl-into-eupl',
    verdict: 'compatible',
    source: osadlMatrix,
    applies: ({ a, b }) => a.name === 'MPL-2.0' && b.name === 'EUPL-1.2',
    explain: (a, b) => `Keep the files under ${a}; the larger work may be under ${b}.`,
  },
  {
    id: 'larger-work',
    verdict: 'compatible',
    source: ({ name }) => largerWorkTexts[name] ?? null,
    applies: (pair) =>
      Object.hasOwn(largerWorkTexts, pair.a.name) &&
      pair.gnuB === undefined &&
      isOpenOrClosed(pair),
    explain: (a, b) =>
      `Keep the files, and changes to them, under ${a} with their source; the rest may be under ${b}.`,
  },
  {
    id: 'eclipse-modules',
    verdict: 'compatible',
    source: 'https://www.eclipse.org/legal/epl-2.0/faq.php',
    applies: (pair) => eclipse.has(pair.a.name) && pair.gnuB === undefined && isOpenOrClosed(pair),
    explain: (a, b) =>
      `Keep the code in modules of its own under ${a} with their source; the rest may be under ${b}.`,
  },
];

/**
 * Compatible licenses by the appendix of each EUPL version. It lists versions 2 and 3 of the GPL, and no later ones.
 */
const euplCompatible: Readonly<Record<string, ReadonlySet<string>>> = {
  'EUPL-1.1': new Set(['GPL-2.0-only', 'OSL-2.1', 'OSL-3.0', 'CPL-1.0', 'EPL-1.0', 'CECILL-2.0']),
  'EUPL-1.2': new Set([
    'EUPL-1.1',
    'GPL-2.0-only',
    'GPL-3.0-only',
    'AGPL-3.0-only',
    'OSL-2.1',
    'OSL-3.0',
    'EPL-1.0',
    'CECILL-2.0',
    'CECILL-2.1',
    'MPL-2.0',
    'LGPL-2.1-only',
    'LGPL-3.0-only',
    'LiLiQ-R-1.1',
    'LiLiQ-Rplus-1.1',
  ]),
};

/** Share-alike licenses that permit a later version for adapted works. */
const shareAlike = ['CC-BY-SA-2.0', 'CC-BY-SA-2.5', 'CC-BY-SA-3.0', 'CC-BY-SA-4.0'];

const isLaterShareAlike = ({ a, b }: Pair): boolean =>
  shareAlike.includes(a.name) && shareAlike.indexOf(b.name) > shareAlike.indexOf(a.name);

/** True if CeCILL permits B: GPL 2, AGPL 3, EUPL 1.1, or later versions of them. */
const cecillMayBecome = ({ a, b, gnuB }: Pair): boolean => {
  const isGpl = gnuB?.kind === 'GPL' && gnuB.version >= 2;
  if (a.name === 'CECILL-2.0') return isGpl;
  const isAgpl = gnuB?.kind === 'AGPL' && gnuB.version >= 3;
  return a.name === 'CECILL-2.1' && (isGpl || isAgpl || /^EUPL-1\.[12]$/.test(b.name));
};

/** Rules on copyleft licenses that list compatible licenses. */
export const oneWayRules: readonly Rule[] = [
  {
    id: 'eupl-compatible-licence',
    verdict: 'compatible',
    source: ({ name }) =>
      name === 'EUPL-1.2'
        ? 'https://interoperable-europe.ec.europa.eu/collection/eupl/eupl-text-eupl-12'
        : `https://spdx.org/licenses/${name}.html`,
    applies: ({ a, b }) =>
      Object.hasOwn(euplCompatible, a.name) && euplCompatible[a.name]?.has(b.name) === true,
    explain: (a, b) => `The appendix of ${a} names ${b}: release the combined work under ${b}.`,
  },
  {
    id: 'eupl-later-version',
    verdict: 'compatible',
    source: 'https://spdx.org/licenses/EUPL-1.1.html',
    applies: ({ a, b }) => a.name === 'EUPL-1.1' && b.name === 'EUPL-1.2',
    explain: (a, b) =>
      `Section 5 of ${a} allows ${b}, unless the code is expressly under that version alone.`,
  },
  {
    id: 'cecill-compatible-license',
    verdict: 'compatible',
    source: 'https://cecill.info/licences/Licence_CeCILL_V2.1-en.html',
    applies: cecillMayBecome,
    explain: (a, b) => `Section 5.3.4 of ${a} allows it: release the whole under ${b}.`,
  },
  {
    id: 'cc-by-sa-later-version',
    verdict: 'compatible',
    source:
      'https://creativecommons.org/share-your-work/licensing-considerations/compatible-licenses/',
    applies: isLaterShareAlike,
    explain: (a, b) => `${a} allows later versions: release the adapted work under ${b}.`,
  },
  {
    id: 'cc-by-sa-into-gpl-3',
    verdict: 'compatible',
    source:
      'https://creativecommons.org/share-your-work/licensing-considerations/compatible-licenses/',
    applies: ({ a, b }) => a.name === 'CC-BY-SA-4.0' && b.name === 'GPL-3.0-only',
    explain: (a, b) => `${a} names version 3 of the GPL: release the adapted work under ${b}.`,
  },
  {
    id: 'cc-by-sa-into-other-gpl',
    verdict: 'incompatible',
    source: 'https://www.gnu.org/licenses/license-list.html#ccbysa',
    applies: ({ a, gnuB }) => a.name === 'CC-BY-SA-4.0' && gnuB?.kind === 'GPL',
    explain: (a, b) =>
      `${a} names version 3 of the GPL and no other: release the whole under GPL-3.0-only instead of ${b}.`,
  },
  {
    id: 'sleepycat-into-gpl',
    verdict: 'compatible',
    source: 'https://www.gnu.org/licenses/license-list.html#BerkeleyDB',
    applies: ({ a, gnuB }) => a.name === 'Sleepycat' && gnuB?.kind === 'GPL' && gnuB.version >= 2,
    explain: (a, b) => `${a} is met by the source that ${b} demands: keep its notices.`,
  },
];
