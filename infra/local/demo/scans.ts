import type { Ecosystem } from '../../../shared/domain/ecosystem.ts';
import type { PackageId } from '../../../shared/domain/package-id.ts';
import type { Severity } from '../../../shared/domain/scans/severity.ts';
import type { Vulnerability } from '../../../shared/domain/scans/vulnerability.ts';

export interface DemoScan {
  id: PackageId;
  tools: readonly string[];
  vulnerabilities: Vulnerability[];
}

/** What is known of a vulnerability, whichever component has it. */
type Advisory = Omit<Vulnerability, 'components'>;

interface Facts {
  summary: string;
  cvss: [score: number, vector: string];
  affected_range: string;
  fixed_versions: string[];
}

type Release = [ecosystem: Ecosystem, name: string, version: string];

const tools = {
  pypi: ['pip-audit', 'osv-scanner'],
  npm: ['npm-audit', 'osv-scanner'],
  maven: ['osv-scanner', 'trivy'],
  docker: ['trivy'],
} as const;

/** A scan of one release, with the vulnerabilities it found. */
const scan = (release: Release, ...advisories: Advisory[]): DemoScan => {
  const [ecosystem, name, version] = release;
  const components = [`${name} ${version}`];
  return {
    id: { ecosystem, name, version },
    tools: tools[ecosystem],
    vulnerabilities: advisories.map((entry) => ({ ...entry, components })),
  };
};

/** An entry of the GitHub Advisory Database. In its ranges a blank means "and", `||` means "or". */
const advisory =
  (severity: Severity) =>
  (cve: string, ghsa: string, { cvss, ...facts }: Facts): Advisory => ({
    ...facts,
    id: cve,
    aliases: [ghsa],
    severity,
    cvss: {
      version: cvss[1].slice('CVSS:'.length, cvss[1].indexOf('/')),
      vector: cvss[1],
      score: cvss[0],
    },
    references: [
      `https://nvd.nist.gov/vuln/detail/${cve}`,
      `https://github.com/advisories/${ghsa}`,
    ],
    source: 'GitHub Advisory Database',
  });

const critical = advisory('critical');
const high = advisory('high');
const medium = advisory('medium');

const log4jSince2025 = [
  medium('CVE-2025-68161', 'GHSA-vc5p-v9hr-52mj', {
    summary: 'The socket appender does not check the host name in the TLS certificate of its peer.',
    cvss: [6.3, 'CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:L/SA:N'],
    affected_range: '>=2.0-beta9 <2.25.3',
    fixed_versions: ['2.25.3'],
  }),
  medium('CVE-2026-34477', 'GHSA-6hg6-v5c8-fphq', {
    summary: 'The verifyHostName attribute of a TLS configuration has no effect.',
    cvss: [6.3, 'CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:L/SA:N'],
    affected_range: '>=2.12.0 <2.25.4',
    fixed_versions: ['2.25.4'],
  }),
  medium('CVE-2026-34480', 'GHSA-3pxv-7cmr-fjr4', {
    summary: 'XmlLayout writes characters that XML forbids, so that log events are lost unnoticed.',
    cvss: [6.9, 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:L/SA:N'],
    affected_range: '>=2.0-alpha1 <2.25.4',
    fixed_versions: ['2.25.4'],
  }),
];

const lodashSince2026 = [
  high('CVE-2026-4800', 'GHSA-r5fr-rjxr-66jc', {
    summary: 'Untrusted key names in the imports option of _.template run as code.',
    cvss: [8.1, 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    affected_range: '>=4.0.0 <4.18.0',
    fixed_versions: ['4.18.0'],
  }),
  medium('CVE-2025-13465', 'GHSA-xxjr-mmjv-4gpg', {
    summary: 'Crafted paths let _.unset and _.omit delete methods of global prototypes.',
    cvss: [6.5, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:L'],
    affected_range: '>=4.0.0 <4.17.23',
    fixed_versions: ['4.17.23'],
  }),
  medium('CVE-2026-2950', 'GHSA-f23m-r3pf-42rh', {
    summary: 'Path segments wrapped in arrays evade the fix of CVE-2025-13465.',
    cvss: [6.5, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:L'],
    affected_range: '<4.18.0',
    fixed_versions: ['4.18.0'],
  }),
];

const requestsTemporaryFile = medium('CVE-2026-25645', 'GHSA-gc5v-m9x4-r6x2', {
  summary:
    'extract_zipped_paths() reuses a file with a predictable name in the temporary directory.',
  cvss: [4.4, 'CVSS:3.1/AV:L/AC:H/PR:L/UI:R/S:U/C:N/I:H/A:N'],
  affected_range: '<2.33.0',
  fixed_versions: ['2.33.0'],
});

const ingressNginx = {
  affected_range: '<1.11.5 || >=1.12.0-beta.0 <1.12.1',
  fixed_versions: ['1.11.5', '1.12.1'],
};

/** Scans of some of the demo packages; the others were never scanned. */
export const demoScans: readonly DemoScan[] = [
  scan(
    ['maven', 'org.apache.logging.log4j:log4j-core', '2.14.1'],
    critical('CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q', {
      summary: 'JNDI lookups in logged strings load and run code from servers of an attacker.',
      cvss: [10, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'],
      affected_range: '>=2.0-beta9 <2.3.1 || >=2.4 <2.12.2 || >=2.13.0 <2.15.0',
      fixed_versions: ['2.3.1', '2.12.2', '2.15.0'],
    }),
    critical('CVE-2021-45046', 'GHSA-7rjr-3q55-vv33', {
      summary: 'The first fix of CVE-2021-44228 leaves lookups in the thread context open.',
      cvss: [9, 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H'],
      affected_range: '<2.12.2 || >=2.13.0 <2.16.0',
      fixed_versions: ['2.12.2', '2.16.0'],
    }),
    high('CVE-2021-45105', 'GHSA-p6xc-xr62-6r2g', {
      summary: 'Lookups that refer to themselves recurse without end and stop the process.',
      cvss: [8.6, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:H'],
      affected_range: '<2.3.1 || >=2.4.0 <2.12.3 || >=2.13.0 <2.17.0',
      fixed_versions: ['2.3.1', '2.12.3', '2.17.0'],
    }),
    medium('CVE-2021-44832', 'GHSA-8489-44mv-ggj8', {
      summary:
        'Who can change the configuration can run code by a JDBC appender with a JNDI source.',
      cvss: [6.6, 'CVSS:3.1/AV:N/AC:H/PR:H/UI:N/S:U/C:H/I:H/A:H'],
      affected_range: '>=2.0-beta7 <2.3.2 || >=2.4 <2.12.4 || >=2.13.0 <2.17.1',
      fixed_versions: ['2.3.2', '2.12.4', '2.17.1'],
    }),
    ...log4jSince2025,
  ),
  scan(['maven', 'org.apache.logging.log4j:log4j-core', '2.17.1'], ...log4jSince2025),
  scan(
    ['npm', 'lodash', '4.17.20'],
    high('CVE-2021-23337', 'GHSA-35jh-r3h4-6jhm', {
      summary: 'Untrusted template options let _.template run code.',
      cvss: [7.2, 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H'],
      affected_range: '<4.17.21',
      fixed_versions: ['4.17.21'],
    }),
    medium('CVE-2020-28500', 'GHSA-29mw-wpgm-hmr9', {
      summary: 'Long runs of blanks make toNumber, trim and trimEnd take very long.',
      cvss: [5.3, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L'],
      affected_range: '<4.17.21',
      fixed_versions: ['4.17.21'],
    }),
    ...lodashSince2026,
  ),
  scan(['npm', 'lodash', '4.17.21'], ...lodashSince2026),
  scan(
    ['npm', 'minimist', '1.2.5'],
    critical('CVE-2021-44906', 'GHSA-xvch-5gv4-984h', {
      summary: 'Crafted argument names change the prototype of objects.',
      cvss: [9.8, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
      affected_range: '<0.2.4 || >=1.0.0 <1.2.6',
      fixed_versions: ['0.2.4', '1.2.6'],
    }),
  ),
  scan(
    ['pypi', 'requests', '2.19.1'],
    high('CVE-2018-18074', 'GHSA-x84v-xcm2-53pg', {
      summary: 'A redirect from https to http on one host carries the Authorization header along.',
      cvss: [7.5, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'],
      affected_range: '<2.20.0',
      fixed_versions: ['2.20.0'],
    }),
    medium('CVE-2023-32681', 'GHSA-j8r2-6x86-q33q', {
      summary: 'A redirect to https hands the credentials for the proxy to the destination.',
      cvss: [6.1, 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:N/A:N'],
      affected_range: '>=2.3.0 <2.31.0',
      fixed_versions: ['2.31.0'],
    }),
    medium('CVE-2024-35195', 'GHSA-9wx4-h78v-vm56', {
      summary: 'A session that once skipped certificate checks for a host goes on skipping them.',
      cvss: [5.6, 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:H/I:H/A:N'],
      affected_range: '<2.32.0',
      fixed_versions: ['2.32.0'],
    }),
    medium('CVE-2024-47081', 'GHSA-9hjg-9r4m-mvj7', {
      summary: 'Crafted URLs send credentials from .netrc to another host.',
      cvss: [5.3, 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N'],
      affected_range: '<2.32.4',
      fixed_versions: ['2.32.4'],
    }),
    requestsTemporaryFile,
  ),
  scan(['pypi', 'requests', '2.32.4'], requestsTemporaryFile),
  scan(
    ['pypi', 'PyYAML', '5.3'],
    critical('CVE-2020-1747', 'GHSA-6757-jp84-gxfx', {
      summary: 'full_load and FullLoader run code from untrusted YAML.',
      cvss: [9.8, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
      affected_range: '>=5.1b7 <5.3.1',
      fixed_versions: ['5.3.1'],
    }),
    critical('CVE-2020-14343', 'GHSA-8q59-q68h-6hv4', {
      summary: 'The fix of CVE-2020-1747 is incomplete: FullLoader still runs code.',
      cvss: [9.8, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
      affected_range: '<5.4',
      fixed_versions: ['5.4'],
    }),
  ),
  scan(
    ['maven', 'org.apache.commons:commons-text', '1.9'],
    critical('CVE-2022-42889', 'GHSA-599f-7c49-w659', {
      summary: 'Default interpolators run scripts and contact servers named in the input.',
      cvss: [9.8, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
      affected_range: '>=1.5 <1.10.0',
      fixed_versions: ['1.10.0'],
    }),
  ),
  scan(
    ['docker', 'registry.k8s.io/ingress-nginx/controller', 'v1.11.3'],
    critical('CVE-2025-1974', 'GHSA-mgvx-rpfc-9mpv', {
      summary: 'Anyone on the pod network can run code through the admission controller.',
      cvss: [9.8, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
      ...ingressNginx,
    }),
    high('CVE-2025-1098', 'GHSA-vg63-w3p9-jc9m', {
      summary: 'The mirror annotations of an Ingress inject configuration into nginx.',
      cvss: [8.8, 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H'],
      ...ingressNginx,
    }),
    high('CVE-2025-24514', 'GHSA-fwwp-xcxw-39vq', {
      summary: 'The auth-url annotation of an Ingress injects configuration into nginx.',
      cvss: [8.8, 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H'],
      ...ingressNginx,
    }),
  ),
  scan(['npm', 'lodash', '4.18.1']),
  scan(['npm', 'minimist', '1.2.8']),
  scan(['npm', '@types/node', '22.10.5']),
  scan(['npm', 'semver', '7.6.3']),
  scan(['npm', 'redis', '4.7.0']),
  scan(['pypi', 'redis', '5.2.1']),
  scan(['pypi', 'PyYAML', '6.0.2']),
  scan(['pypi', 'typing_extensions', '4.12.2']),
  scan(['maven', 'org.slf4j:slf4j-api', '2.0.16']),
  scan(['maven', 'org.junit.jupiter:junit-jupiter-api', '5.11.4']),
  scan(['maven', 'org.apache.commons:commons-text', '1.10.0']),
  scan(['docker', 'registry.k8s.io/pause', '3.10']),
];
