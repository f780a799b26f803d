/** The licenses that a name may mean, then the name and its other spellings, in the words of `splitWords`. */
export type NameRow = readonly [meant: string, ...names: string[]];

/**
 * Licenses with several versions, by names without version. GNU licenses have their old identifiers, without `-only`.
 */
export const families: readonly NameRow[] = [
  [
    'AGPL-1.0 AGPL-3.0',
    'agpl|gnu agpl|affero|gnu affero|affero gpl|gnu affero gpl|affero general public license',
    'gnu affero general public license|affero gnu general public license|affero gnu public license',
    'gnu affero public license|affero public license',
  ],
  [
    'GPL-1.0 GPL-2.0 GPL-3.0',
    'gpl|gnu gpl|general public license|gnu public license|gnu general public|gnu general license|gnu',
  ],
  [
    'LGPL-2.0 LGPL-2.1 LGPL-3.0',
    'lgpl|gnu lgpl|lesser gpl|gnu lesser gpl|library gpl|gnu library gpl|gnu lesser public license',
    'library general public license|gnu library general public license|gnu lesser license',
    'gnu library or lesser general public license|gnu lesser general public|lesser gnu public license',
    'gnu library or lesser general public license lgpl|gnu general public library',
    'gnu library public license|gnu general lesser public license|lesser general public',
  ],
  [
    'GFDL-1.1 GFDL-1.2 GFDL-1.3',
    'gfdl|fdl|gnu fdl|gnu free documentation license|free documentation license',
  ],
  [
    'Apache-1.0 Apache-1.1 Apache-2.0',
    'apache|apache software|asl|asf|al|apache public license|apache software foundation license',
    'apache opensource license|apache general public license|apache open source',
    'apache org licenses license',
  ],
  ['MPL-1.0 MPL-1.1 MPL-2.0', 'mpl|mozilla|mozilla public'],
  ['EPL-1.0 EPL-2.0', 'epl|eclipse|eclipse public'],
  [
    'CDDL-1.0 CDDL-1.1',
    'cddl|common development and distribution license|common development distribution license',
  ],
  ['CPL-1.0', 'cpl|common public license'],
  ['IPL-1.0', 'ibm public license'],
  ['CPAL-1.0', 'cpal|common public by license'],
  [
    'EUPL-1.0 EUPL-1.1 EUPL-1.2',
    'eupl|european union public license|eu public license|european public license',
  ],
  ['OSL-1.0 OSL-1.1 OSL-2.0 OSL-2.1 OSL-3.0', 'osl|open software license'],
  ['NPOSL-3.0', 'nposl|non profit open software license|nonprofit open software license'],
  ['AFL-1.1 AFL-1.2 AFL-2.0 AFL-2.1 AFL-3.0', 'afl|academic free license'],
  ['Artistic-1.0 Artistic-2.0', 'artistic|perl artistic license'],
  ['BSL-1.0', 'boost|boost software license'],
  // Boost's or MariaDB's license: a version distinguishes them.
  ['BSL-1.0 BUSL-1.1', 'bsl'],
  ['BUSL-1.1', 'busl|business source|mariadb bsl|mariadb business source license'],
  ['SSPL-1.0', 'sspl|mongodb server side public license|mongodb sspl|server side public'],
  ['LicenseRef-Elastic-1.0 Elastic-2.0', 'elastic license|elasticsearch license'],
  ['FSL-1.1-ALv2 FSL-1.1-MIT', 'fsl|functional source license'],
  ['SUL-1.0', 'sustainable use license'],
  ['RPL-1.1 RPL-1.5', 'reciprocal public license'],
  ['QPL-1.0', 'qpl|qt public license|q public license'],
  ['NPL-1.0 NPL-1.1', 'npl|netscape public license'],
  ['PSF-2.0 Python-2.0', 'psf|psfl|python|python software foundation|psf license agreement'],
  ['ZPL-1.1 ZPL-2.0 ZPL-2.1', 'zpl|zope|zope public license'],
  ['UPL-1.0', 'upl|universal permissive license'],
  ['OFL-1.0 OFL-1.1', 'ofl|sil ofl|open font license|sil open font'],
  ['CC0-1.0', 'cc0|cc zero|cc 0|cc cc0|cc0 universal|cc org publicdomain zero|cc public domain'],
  ['CECILL-1.0 CECILL-1.1 CECILL-2.0 CECILL-2.1', 'cecill|cea cnrs inria logiciel libre license'],
  ['CECILL-B', 'cecill b'],
  ['CECILL-C', 'cecill c'],
  ['PHP-3.0 PHP-3.01', 'php'],
  ['ECL-1.0 ECL-2.0', 'ecl|educational community license'],
  ['EFL-1.0 EFL-2.0', 'efl|eiffel forum license'],
  ['NCSA', 'ncsa|university of illinois ncsa open source license|university of illinois|uiuc'],
  ['PolyForm-Noncommercial-1.0.0', 'polyform nc'],
  ['PolyForm-Small-Business-1.0.0', 'polyform small business'],
  ['BlueOak-1.0.0', 'blueoak|blue oak|blue oak model license'],
  ['MulanPSL-1.0 MulanPSL-2.0', 'mulanpsl|mulan psl|mulan permissive software license'],
  ['LicenseRef-RSAL', 'rsal|redis source available license'],
];

/** Names that need no version. */
export const fullNames: readonly NameRow[] = [
  [
    // Bouncy Castle's license "should be read in the same way as the MIT license".
    'MIT',
    'mit|expat|mit expat|expat mit|mit open source license|mit public license',
    'massachusetts institute of technology|mitl|bouncy castle|mit license mit|mit license expat',
    'mit software license',
  ],
  ['MIT-0', 'mit no by'],
  ['X11', 'x11|mit x11|mit x|x11 mit'],
  ['ISC', 'isc|iscl|internet systems consortium|isc license iscl'],
  ['0BSD', '0bsd|zero clause bsd|bsd zero clause|bsd 0 clause|free public license'],
  [
    'BSD-2-Clause BSD-3-Clause BSD-4-Clause',
    'bsd|berkeley software distribution|bsd licensed|berkeley',
  ],
  [
    'BSD-2-Clause',
    'bsd 2|bsd 2 clause|2 clause bsd|two clause bsd|simplified bsd|bsd simplified|freebsd',
    'bsd license 2 clause|free bsd|bsd two clause|two clause bsd style license',
    '2 clause simplified bsd license|bsd 2 clause simplified|bsd license 2|2 clause bsdl|bsd 2c',
  ],
  [
    'BSD-3-Clause',
    'bsd 3|bsd 3 clause|3 clause bsd|three clause bsd|new bsd|bsd new|revised bsd|modified bsd|edl|edl 1',
    'bsd modified|eclipse distribution license|eclipse distribution license 1|bsd license 3|bsd revised',
    'new or revised bsd|new bsd 3 clause|bsd license 3 clause|bsd three clause|go license',
    '3 clause revised bsd license|bsd 3 clause new|three clause bsd style license|bsd 3 clause revised',
    '3 clause new bsd license|bsd 3c|bsd 3 new|new bsd or mit compatible|modified bsd 3 clause',
    'bsd 3 clause new or revised|new revised bsd license|new 3 clause bsd license',
  ],
  ['BSD-4-Clause', 'bsd 4|original bsd|old bsd|bsd original|bsd 4 clause|4 clause bsd|bsd old'],
  ['BSD-2-Clause-Patent', 'bsd patent|bsd 2 clause plus patent'],
  ['Zlib', 'zlib|zlib libpng|libpng zlib'],
  ['Unlicense', 'unlicense|public domain unlicense|unlicense unlicense'],
  [
    'WTFPL',
    'wtfpl|do what the fuck you want to public license|do what the f you want to public license',
    'wtf public license|wtfpl 2|do what the fuck you want to|dwtfywtpl',
  ],
  ['Beerware', 'beerware|beer ware'],
  ['PostgreSQL', 'postgresql|postgres'],
  ['Ruby', 'ruby|rubys|ruby s license'],
  ['HPND', 'hpnd|historical permission notice and disclaimer'],
  ['MIT-CMU', 'mit cmu|cmu license|cmu license mit cmu'],
  ['JSON', 'json license'],
  ['ICU', 'icu|unicode icu license'],
  ['Unicode-3.0', 'unicode license|unicode license 3'],
  ['W3C W3C-19980720 W3C-20150513', 'w3c|w3c software license|w3c software notice and license'],
  ['CNRI-Python', 'cnri|python license cnri python license'],
  ['Sleepycat', 'sleepycat'],
  ['Vim', 'vim'],
  ['curl', 'curl'],
  ['Libpng libpng-2.0', 'libpng'],
  ['OpenSSL', 'openssl'],
  ['NTP', 'ntp'],
  ['MS-PL', 'ms pl|mspl|microsoft public license|microsoft public license ms pl'],
  ['MS-RL', 'ms rl|microsoft reciprocal license'],
  ['SISSL', 'sissl|sun industry standards source license'],
  ['MirOS', 'miros'],
  ['Aladdin', 'aladdin free public license|afpl|aladdin'],
  ['Nokia', 'nokia open source license nokos'],
  ['MPL-1.1 EPL-1.0', 'h2 license|h2 license 1'],
  ['BSD-3-Clause', 'hsqldb license|hsqldb license a bsd open source license'],
  ['SAX-PD', 'sax license'],
  ['ANTLR-PD', 'antlr license|antlr 2.7.7 license'],
  [
    'LicenseRef-JDOM',
    'jdom license|similar to apache license but with the acknowledgment clause removed',
  ],
  ['MIT', 'jquery license'],
  ['Elastic-2.0', 'el 2|elastic 2'],
  [
    'xpp',
    'indiana university extreme lab software license',
    'indiana university extreme lab software license 1.1.1',
  ],
  ['GPL-1.0-or-later Artistic-1.0-Perl', 'perl|perl 5|same as perl|same terms as perl'],
  [
    'LicenseRef-Public-Domain',
    'public domain|publicdomain|pd|public domain dedication|dedicated to the public domain',
  ],
  [
    'CC0-1.0',
    'cc0 1 universal cc0 1 public domain dedication|cc0 1 universal|public domain per cc cc0',
    'cc0 1 universal public domain dedication|cc zero 1 universal',
  ],
  [
    'LicenseRef-Proprietary',
    'proprietary|unlicensed|freeware|closed source|commercial|all rights reserved|private|confidential',
    'not open source|internal use only|android software development kit license|android sdk license',
    'oracle free use terms and conditions|proprietary software|oracle free use terms and conditions futc',
    'oracle technology network license|sun microsystems inc binary code license',
    'oracle no fee terms and conditions|oracle binary code license|futc|otn|other proprietary',
    'evaluation license',
  ],
  [
    'LicenseRef-Noncommercial',
    'nc|free for nc use|nc use only|free for educational use|free for home use|not for commercial use',
    'no commercial use|personal use only|academic use only|research use only|educational use only',
    'for nc use only',
  ],
  [
    'LicenseRef-Commons-Clause',
    'commons clause|commonsclause|common clause|with commons clause|commons clause license condition|with the commons clause',
    'commons clause license condition 1|commons clause 1',
  ],
  ['LicenseRef-Confluent-Community', 'confluent community license|confluent community license 1'],
  ['LicenseRef-Timescale', 'timescale license|timescale community license'],
];

/** Common words and vendor names, which name a license only if the text has no other words. */
export const bareNames: readonly NameRow[] = [
  ['LicenseRef-Elastic-1.0 Elastic-2.0', 'elastic|elasticsearch'],
];

/** Exceptions to the GPL, by their names. */
export const exceptions: readonly NameRow[] = [
  [
    'Classpath-exception-2.0',
    'with classpath exception|with the classpath exception|classpath exception|with cpe|cpe|ce|with ce',
    'with classpath|with classpath exception 2|with gnu classpath exception',
    'with the gnu classpath exception|with classpath linking exception',
  ],
  [
    'Universal-FOSS-exception-1.0',
    'with foss exception|with universal foss exception|with universal foss exception 1',
    'with the universal foss exception|with the foss exception|with the universal foss exception 1',
    'with oracle foss exception',
  ],
];

/** Words that do not identify a license. */
export const fillers: NameRow = [
  '',
  'the|a|an|license|licenses|licensed|under|of|terms|osi|approved|osi approved|spdx|www|org',
  'opensource org|cc org|gnu org|apache org|mozilla org|eclipse org|spdx org|legal|legalcode|either',
  'dual|dual license|dual licensed|dual license consisting of|consisting of|multi|triple license|en',
  'deed|february 1999|june 1991|january 2004|november 2007|29 june 2007|june 2007|19 november 2007',
  'free software license agreement|old licenses|choose|its|opensource|standalone|software is|this|is',
];
