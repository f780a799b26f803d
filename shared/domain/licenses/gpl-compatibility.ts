/** Splits texts into a set of SPDX identifiers. Texts are easier to maintain than arrays. */
const splitIds = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')));

/** "Various Licenses and Comments about Them" of the Free Software Foundation. */
export const licenseList = 'https://www.gnu.org/licenses/license-list.html';
/** The compatibility matrix of the Open Source Automation Development Lab, for licenses that the FSF does not name. */
export const osadlMatrix =
  'https://www.osadl.org/Access-to-raw-data.oss-compliance-raw-data-access.0.html';

/** Compatible with the GPL, versions 2 and 3, by the FSF's list. */
export const compatibleByFsf = splitIds(
  'BSD-2-Clause BSD-2-Clause-Views BSD-3-Clause BSD-3-Clause-Clear BSL-1.0 CC-BY-4.0 ClArtistic EFL-2.0',
  'EUDatagrid FSFAP HPND iMatix IJG Imlib2 Intel ISC MIT NCSA OLDAP-2.7 PSF-2.0 Python-2.0.1 SGI-B-2.0 SMLNJ',
  'Unicode-DFS-2015 Unicode-DFS-2016 UPL-1.0 W3C WTFPL X11 Zlib ZPL-2.0 ZPL-2.1',
);

/**
 * Licenses that are compatible with the GPL by a clause of their own, according to the FSF's list. Otherwise they
 * restrict changes.
 */
export const gplClauses: ReadonlyMap<string, string> = new Map([
  ['Artistic-2.0', 'the relicensing option in its section 4(c)(ii)'],
  ['Ruby', 'its explicit dual-licensing clause'],
  ['Vim', 'its special clause on the GPL'],
]);

/** Compatible with version 3 of the GPL and not with version 2, by the FSF's list. */
export const compatibleWithGpl3ByFsf = splitIds('Apache-2.0 ECL-2.0 FTL XFree86-1.1');

/** Licenses that are incompatible with the GPL by the FSF's list, free or not. */
export const incompatibleByFsf = splitIds(
  'AFL-1.1 AFL-1.2 AFL-2.0 AFL-2.1 AFL-3.0 Aladdin Apache-1.0 Apache-1.1 APSL-1.0 APSL-2.0 Artistic-1.0 BitTorrent-1.1',
  'CDDL-1.0 CDDL-1.1 CECILL-B CECILL-C CNRI-Python Condor-1.1 CPAL-1.0 CPL-1.0 CPOL-1.02 EPL-1.0 EPL-2.0 gnuplot IPA',
  'IPL-1.0 JSON LAL-1.3 LPL-1.02 LPPL-1.2 LPPL-1.3a MPL-1.0 MPL-1.1 MPL-2.0-no-copyleft-exception MS-PL MS-RL',
  'NASA-1.3 Nokia NOSL NPL-1.0 NPL-1.1 ODbL-1.0 OLDAP-2.3 OPL-1.0 OSL-1.0 OSL-1.1 OSL-2.0 OSL-2.1 OSL-3.0 PHP-3.0',
  'PHP-3.01 Python-2.0 QPL-1.0 RHeCos-1.1 RPSL-1.0 SISSL SPL-1.0 Watcom-1.0 xinetd YPL-1.1 Zend-2.0 Zimbra-1.3 ZPL-1.1',
);

/** Licenses with an advertising clause, which the GPL does not permit (license-list.html#OriginalBSD). */
export const advertisingClause = splitIds(
  'BSD-4-Clause BSD-4-Clause-Shortened OpenSSL OpenSSL-standalone SSLeay-standalone',
);

/** Compatible with every GNU license from GPL-2.0 on, by OSADL's matrix; the FSF does not name them. */
export const compatibleByOsadl = splitIds(
  'BSD-1-Clause BSD-2-Clause-Patent BSD-3-Clause-Open-MPI BSD-Source-Code bzip2-1.0.6 curl FSFUL FSFULLR FSFULLRWD',
  'IBM-pibs ICU JasPer-2.0 Libpng libpng-2.0 libtiff MirOS MIT-CMU NTP OLDAP-2.8 PostgreSQL Saxpath SSH-OpenSSH',
  'SSH-short SunPro W3C-19980720 W3C-20150513',
);

/** Licenses that are compatible with version 1 of the GPL by OSADL's matrix. The FSF's list begins with version 2. */
export const compatibleWithGpl1ByOsadl = splitIds(
  'BSD-1-Clause BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause BSD-3-Clause-Open-MPI BSD-Source-Code BSL-1.0 EFL-2.0',
  'FSFAP FSFUL FSFULLR FSFULLRWD HPND IBM-pibs ICU IJG ISC JasPer-2.0 Libpng MIT MIT-CMU MirOS NCSA NTP OLDAP-2.8',
  'PostgreSQL SGI-B-2.0 SMLNJ SSH-OpenSSH SSH-short Saxpath SunPro UPL-1.0 Unicode-DFS-2016 W3C W3C-19980720',
  'W3C-20150513 X11 ZPL-2.0 Zlib bzip2-1.0.6 curl libpng-2.0 libtiff',
);

/** Licenses that are incompatible with version 1 of the GPL by OSADL's matrix. */
export const incompatibleWithGpl1ByOsadl = splitIds(
  'Apache-1.0 Apache-1.1 Apache-2.0 BSD-4-Clause ECL-2.0 FTL Minpack OpenSSL PHP-3.01 Python-2.0 XFree86-1.1',
);

/** Licenses that are incompatible with every GNU license by OSADL's matrix: they require an acknowledgement. */
export const incompatibleByOsadl = splitIds('Minpack');

/** Licenses that neither list names and whose text requires only their notices, with the URL of the text. */
export const noticesAlone: ReadonlyMap<string, string> = new Map([
  ['BlueOak-1.0.0', 'https://blueoakcouncil.org/license/1.0.0'],
  ['TCL', 'https://www.tcl-lang.org/software/tcltk/license.html'],
  ['Unicode-3.0', 'https://www.unicode.org/license.txt'],
]);

/** Licenses that are compatible with the EUPL and the OSL 3.0, by OSADL's matrix. */
export const compatibleWithCopyleftByOsadl = splitIds(
  'BSD-2-Clause BSD-3-Clause BSL-1.0 ISC MIT MIT-CMU X11 Zlib',
);

/** Copyleft licenses in OSADL's matrix other than GNU licenses. */
export const copyleftOfOsadl = splitIds('EUPL-1.1 EUPL-1.2 OSL-3.0');

/** Licenses without conditions for copies, so they are compatible with every license. */
export const unconditional = splitIds('0BSD MIT-0 WTFPL DL-DE-ZERO-2.0');
