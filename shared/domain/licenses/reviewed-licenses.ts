import type { LicenseCategory } from './category.ts';

/** Licenses with the same obligations according to their texts. Null if texts differ or are silent. */
export interface ReviewedFamily {
  readonly category: LicenseCategory;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly source: string;
  /** SPDX identifiers, separated by blanks. */
  readonly ids: string;
}

const open = { requires_attribution: true, allows_commercial: true } as const;
const texts = 'https://spdx.org/licenses/';

/**
 * Facts from our own review of license texts, which take precedence over published lists. Other licenses stay unknown.
 */
export const reviewedFamilies: readonly ReviewedFamily[] = [
  {
    category: 'public-domain',
    requires_attribution: false,
    allows_commercial: true,
    source: 'https://www.gnu.org/licenses/license-list.html#PublicDomain',
    ids: 'CC0-1.0 NIST-PD CC-PDDC CC-PDM-1.0 PDDL-1.0 Unlicense SAX-PD SAX-PD-2.0 NTIA-PD ANTLR-PD ANTLR-PD-fallback blessing LZMA-SDK-9.22 LZMA-SDK-9.11-to-9.20',
  },
  {
    category: 'permissive',
    requires_attribution: false,
    allows_commercial: true,
    source: `${texts} (grants without any condition on copies)`,
    ids: '0BSD MIT-0 WTFPL DL-DE-ZERO-2.0 Symlinks Clips',
  },
  {
    // A changed copy must be renamed. The texts do not mention notices.
    category: 'permissive',
    requires_attribution: null,
    allows_commercial: true,
    source: `${texts}Barr.html`,
    ids: 'Barr',
  },
  {
    category: 'permissive',
    ...open,
    source: `${texts} (conditions on notices alone; ScanCode LicenseDB calls each of them permissive)`,
    ids: [
      'BSD-2-Clause-first-lines BSD-2-Clause-pkgconf-disclaimer BSD-3-Clause-acpica BSD-3-Clause-flex BSD-4.3RENO',
      'BSD-4.3TAHOE BSD-Advertising-Acknowledgement BSD-Attribution-HPND-disclaimer BSD-Inferno-Nettverk',
      'BSD-Source-beginning-file BSD-Systemics BSD-Systemics-W3Works Brian-Gladman-2-Clause Brian-Gladman-3-Clause',
      'AMD-newlib AML-glslang Bitstream-Charter Boehm-GC Boehm-GC-without-fee CMU-Mach CMU-Mach-nodoc DEC-3-Clause',
      'EPICS EUDatagrid FBM FSFAP-no-warranty-disclaimer FSFULLRWD GD HP-1986 HP-1989 HPND-DEC HPND-Intel',
      'HPND-Kevlin-Henney HPND-MIT-disclaimer HPND-Markus-Kuhn HPND-Netrek HPND-Pbmplus HPND-UC HPND-doc HPND-doc-sell',
      'HPND-merchantability-variant HPND-sell-MIT-disclaimer-xserver HPND-sell-variant',
      'HPND-sell-variant-MIT-disclaimer HPND-sell-variant-MIT-disclaimer-rev ISC-Veillard Inner-Net-2.0 HDF5',
      'Mackerras-3-Clause Mackerras-3-Clause-acknowledgment Martin-Birgmeier MIT-Click MIT-Festival MIT-Khronos-old',
      'OpenSSL-standalone SSLeay-standalone Pixar Python-2.0.1 SSH-OpenSSH Sun-PPP Sun-PPP-2000 Unicode-3.0',
      'X11-distribute-modifications-variant X11-swapped libpng-1.6.35 pkgconf CDLA-Permissive-2.0 CERN-OHL-P-2.0',
      'Bitstream-Vera CDLA-Permissive-1.0 LPPL-1.3a Minpack',
    ].join(' '),
  },
  {
    category: 'permissive',
    ...open,
    source: 'https://blueoakcouncil.org/list (its last rank; the notices by their texts)',
    ids: 'AAL Artistic-1.0 Artistic-1.0-Perl Artistic-1.0-cl8 EFL-1.0 EFL-2.0 Fair HPND IJG NAIST-2003 ZPL-1.1 mpich2',
  },
  {
    category: 'permissive',
    ...open,
    source:
      'https://creativecommons.org/licenses/by/4.0/legalcode (and the earlier versions and ports)',
    ids: [
      'CC-BY-1.0 CC-BY-2.0 CC-BY-2.5 CC-BY-2.5-AU CC-BY-3.0 CC-BY-3.0-AT CC-BY-3.0-AU CC-BY-3.0-DE CC-BY-3.0-IGO',
      'CC-BY-3.0-NL CC-BY-3.0-US CC-BY-4.0',
    ].join(' '),
  },
  {
    category: 'permissive',
    ...open,
    source: `${texts} (licenses of governments and for data that ask to name the source alone)`,
    ids: 'ODC-By-1.0 OGL-UK-1.0 OGL-UK-2.0 OGL-UK-3.0 etalab-2.0 NLOD-1.0 NLOD-2.0 DL-DE-BY-2.0 OGDL-Taiwan-1.0',
  },
  {
    category: 'weak-copyleft',
    ...open,
    source: 'https://www.gnu.org/licenses/lgpl-3.0.html (and the earlier versions)',
    ids: 'LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later',
  },
  {
    category: 'weak-copyleft',
    ...open,
    source: 'https://www.mozilla.org/en-US/MPL/2.0/FAQ/ (and licenses made from the MPL 1.1)',
    ids: 'MPL-1.0 MPL-1.1 MPL-2.0 MPL-2.0-no-copyleft-exception CDDL-1.0 CDDL-1.1 NPL-1.1 SPL-1.0 Nokia CUA-OPL-1.0',
  },
  {
    category: 'weak-copyleft',
    ...open,
    source:
      'https://www.eclipse.org/legal/epl-2.0/faq.php (and the licenses that the EPL comes from)',
    ids: 'EPL-1.0 EPL-2.0 CPL-1.0 IPL-1.0',
  },
  {
    category: 'weak-copyleft',
    ...open,
    source: `${texts} (modified files stay under the license, the rest of a larger work need not)`,
    ids: [
      // FDK-AAC grants no patent license. QPL-1.0 requires open source for works that link with the code, under any
      // terms.
      'APSL-1.0 FDK-AAC NPL-1.0 QPL-1.0 SISSL SISSL-1.2 Ubuntu-font-1.0',
      'MS-RL ErlPL-1.1 APSL-1.1 APSL-1.2 APSL-2.0 CECILL-C LiLiQ-R-1.1 CERN-OHL-W-2.0 LPL-1.0 NASA-1.3',
      'OFL-1.0 OFL-1.0-RFN OFL-1.0-no-RFN OFL-1.1 OFL-1.1-RFN OFL-1.1-no-RFN OSET-PL-2.1 CATOSL-1.1',
    ].join(' '),
  },
  {
    category: 'copyleft',
    ...open,
    source: 'https://www.gnu.org/licenses/gpl-3.0.html (and the earlier versions)',
    ids: 'GPL-1.0-only GPL-1.0-or-later GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later',
  },
  {
    category: 'copyleft',
    ...open,
    source: 'https://www.gnu.org/licenses/fdl-1.3.html (and the earlier versions)',
    ids: ['1.1', '1.2', '1.3']
      .flatMap((version) =>
        ['', '-invariants', '-no-invariants'].flatMap((kind) => [
          `GFDL-${version}${kind}-only`,
          `GFDL-${version}${kind}-or-later`,
        ]),
      )
      .join(' '),
  },
  {
    category: 'copyleft',
    ...open,
    source:
      'https://creativecommons.org/licenses/by-sa/4.0/legalcode (and the earlier versions and ports)',
    ids: [
      'CC-BY-SA-1.0 CC-BY-SA-2.0 CC-BY-SA-2.0-UK CC-BY-SA-2.1-JP CC-BY-SA-2.5 CC-BY-SA-3.0 CC-BY-SA-3.0-AT',
      'CC-BY-SA-3.0-DE CC-BY-SA-3.0-IGO CC-BY-SA-4.0',
    ].join(' '),
  },
  {
    category: 'copyleft',
    ...open,
    source: `${texts} (works with the code stay under the license as a whole)`,
    ids: [
      'CECILL-1.0 CECILL-1.1 CECILL-2.0 CECILL-2.1 EUPL-1.0 ODbL-1.0 LiLiQ-Rplus-1.1 CERN-OHL-S-2.0',
      'Sleepycat SimPL-2.0 copyleft-next-0.3.0 copyleft-next-0.3.1 BSD-Protection D-FSL-1.0 LAL-1.2 LAL-1.3',
      'CC-SA-1.0 CDLA-Sharing-1.0',
    ].join(' '),
  },
  {
    category: 'network-copyleft',
    ...open,
    source: 'https://www.gnu.org/licenses/agpl-3.0.html (section 13; in version 1 section 2(d))',
    ids: 'AGPL-1.0-only AGPL-1.0-or-later AGPL-3.0-only AGPL-3.0-or-later',
  },
  {
    category: 'network-copyleft',
    ...open,
    source: 'https://choosealicense.com/appendix/ (disclosure to the users of a network service)',
    ids: 'EUPL-1.1 EUPL-1.2 OSL-1.0 OSL-1.1 OSL-2.0 OSL-2.1 OSL-3.0',
  },
  {
    // NPOSL is open source in spite of its name: its authors declare to be non-profit, not its users.
    category: 'network-copyleft',
    ...open,
    source: `${texts} (sections on external deployment, network use and public performance)`,
    ids: 'NPOSL-3.0 CPAL-1.0 RPL-1.1 RPL-1.5 CAL-1.0',
  },
  {
    // All software that is developed, operated or analyzed with the code must be contributed.
    category: 'network-copyleft',
    ...open,
    source: 'https://paritylicense.com/versions/7.0.0.html (and version 6.0.0)',
    ids: 'Parity-6.0.0 Parity-7.0.0',
  },
  {
    category: 'source-available',
    requires_attribution: true,
    allows_commercial: false,
    source: 'https://creativecommons.org/licenses/by-nc/4.0/legalcode (and the other NC licenses)',
    ids: [
      'CC-BY-NC-1.0 CC-BY-NC-2.0 CC-BY-NC-2.5 CC-BY-NC-3.0 CC-BY-NC-3.0-DE CC-BY-NC-3.0-IGO CC-BY-NC-4.0',
      'CC-BY-NC-ND-1.0 CC-BY-NC-ND-2.0 CC-BY-NC-ND-2.5 CC-BY-NC-ND-3.0 CC-BY-NC-ND-3.0-DE CC-BY-NC-ND-3.0-IGO',
      'CC-BY-NC-ND-4.0 CC-BY-NC-SA-1.0 CC-BY-NC-SA-2.0 CC-BY-NC-SA-2.0-DE CC-BY-NC-SA-2.0-FR CC-BY-NC-SA-2.0-UK',
      'CC-BY-NC-SA-2.5 CC-BY-NC-SA-3.0 CC-BY-NC-SA-3.0-DE CC-BY-NC-SA-3.0-IGO CC-BY-NC-SA-4.0',
    ].join(' '),
  },
  {
    category: 'source-available',
    ...open,
    source:
      'https://creativecommons.org/licenses/by-nd/4.0/legalcode (no adapted copies may be shared)',
    ids: 'CC-BY-ND-1.0 CC-BY-ND-2.0 CC-BY-ND-2.5 CC-BY-ND-3.0 CC-BY-ND-3.0-DE CC-BY-ND-4.0',
  },
  {
    category: 'source-available',
    requires_attribution: true,
    allows_commercial: false,
    source: 'https://polyformproject.org/licenses/noncommercial/1.0.0 (and NCGL-UK by its text)',
    ids: 'PolyForm-Noncommercial-1.0.0 NCGL-UK-2.0',
  },
  {
    // Commercial use depends on the user or purpose, so neither true nor false applies.
    category: 'source-available',
    requires_attribution: true,
    allows_commercial: null,
    source:
      'https://mariadb.com/bsl11/, https://fsl.software, https://www.elastic.co/licensing/elastic-license',
    ids: 'BUSL-1.1 Elastic-2.0 FSL-1.1-ALv2 FSL-1.1-MIT PolyForm-Small-Business-1.0.0 SUL-1.0',
  },
  {
    category: 'source-available',
    ...open,
    source: 'https://www.mongodb.com/licensing/server-side-public-license (section 13 on services)',
    ids: 'SSPL-1.0',
  },
  {
    // "The Software shall be used for Good, not Evil": not a free license according to the FSF.
    category: 'source-available',
    requires_attribution: true,
    allows_commercial: null,
    source: 'https://www.gnu.org/licenses/license-list.html#JSON',
    ids: 'JSON',
  },
  {
    // For products that support the Unicode Standard, and mostly without changes.
    category: 'source-available',
    requires_attribution: true,
    allows_commercial: null,
    source: `${texts}Unicode-TOU.html`,
    ids: 'Unicode-TOU',
  },
  {
    // Not approved by OSI: they exclude fields of endeavour.
    category: 'source-available',
    requires_attribution: true,
    allows_commercial: null,
    source: 'https://firstdonoharm.dev',
    ids: 'Hippocratic-2.1',
  },
];
