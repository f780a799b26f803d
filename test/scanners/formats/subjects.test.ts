import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../shared/domain/vulnerabilities/subject.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport } from './example.ts';
import { rated, sarif, snyk } from './made.ts';

const digest = `sha256:${'a1'.repeat(32)}`;
const image = (...names: readonly string[]): Subject[] => [{ kind: 'image', names }];
const purl = (text: string): Subject[] => [{ kind: 'purl', purl: text }];

const trivy = (report: object) => ({
  SchemaVersion: 2,
  ArtifactType: 'container_image',
  Results: [{ Target: 'app', Class: 'os-pkgs' }],
  ...report,
});
const grype = (source: unknown) => ({ matches: [], descriptor: { name: 'grype' }, source });
const cycloneDx = (component: unknown) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component },
  vulnerabilities: [{ id: 'CVE-2026-1' }],
});
const osvScanner = (source: unknown) => ({
  results: [{ source, packages: [{ package: { name: 'a' } }] }],
  experimental_config: {},
});

describe('the subject of a report', () => {
  it.each<[string, unknown, readonly Subject[]]>([
    [
      'Trivy on an image',
      trivy({
        ArtifactName: 'nginx',
        Metadata: { RepoTags: ['nginx:latest'], RepoDigests: [`nginx@${digest}`] },
      }),
      image('nginx:latest', `nginx@${digest}`),
    ],
    ['Trivy on an archive', trivy({ ArtifactName: 'a.tar', Metadata: { RepoTags: ['a:1'] } }), []],
    ['Trivy on a directory', trivy({ ArtifactName: 'a:1', ArtifactType: 'filesystem' }), []],
    [
      // As the tests of Trivy 0.40 to 0.74 have it (pkg/report/sarif_test.go).
      'Trivy in SARIF',
      sarif([rated], [], {
        properties: { imageName: 'nginx:1.27', repoTags: [], repoDigests: [`nginx@${digest}`] },
      }),
      image('nginx:1.27', `nginx@${digest}`),
    ],
    ['any tool in SARIF', sarif([rated]), []],
    [
      'Grype on an image',
      grype({
        type: 'image',
        target: { userInput: 'nginx', tags: ['nginx:1.27'], repoDigests: [`nginx@${digest}`] },
      }),
      image('nginx:1.27', `nginx@${digest}`),
    ],
    ['Grype on a directory', grype({ type: 'directory', target: '/tmp/app' }), []],
    [
      'Grype on a package',
      grype({ type: 'purl', target: 'pkg:npm/a@1.0.0' }),
      purl('pkg:npm/a@1.0.0'),
    ],
    [
      'CycloneDX on a package',
      cycloneDx({ type: 'library', name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0' }),
      purl('pkg:npm/a@1.0.0'),
    ],
    [
      'CycloneDX on an image with its version apart',
      cycloneDx({ type: 'container', name: 'nginx', version: '1.27' }),
      image('nginx:1.27'),
    ],
    [
      'CycloneDX on an image with its digest apart',
      cycloneDx({ type: 'container', name: 'nginx:1.27', version: digest }),
      image('nginx:1.27', `nginx:1.27@${digest}`),
    ],
    [
      'CycloneDX on an image with a package URL alone',
      cycloneDx({ type: 'container', name: 'nginx', purl: 'pkg:oci/nginx@x?tag=1.27' }),
      purl('pkg:oci/nginx@x?tag=1.27'),
    ],
    ['CycloneDX on a directory', cycloneDx({ type: 'application', name: 'src:1' }), []],
    ['CycloneDX that describes nothing', cycloneDx(7), []],
    [
      // As OSV-Scanner 1.0.0 to 1.9.2 writes it (pkg/osvscanner/osvscanner.go).
      'OSV-Scanner on an image',
      osvScanner({ type: 'docker', path: 'nginx:1.27' }),
      image('nginx:1.27'),
    ],
    [
      'OSV-Scanner 1 on the archive of an image',
      osvScanner({ type: 'docker', path: 'nginx.tar:/lib/apk/db/installed' }),
      [],
    ],
    ['OSV-Scanner on a lockfile', osvScanner({ type: 'lockfile', path: 'lock:1' }), []],
    [
      'Snyk on an image',
      snyk({ projectName: 'docker-image|nginx', path: 'nginx:1.27' }),
      image('nginx:1.27'),
    ],
    ['Snyk on an archive', snyk({ projectName: 'docker-image|a.tar', path: 'a:1' }), []],
    [
      'Snyk on an image by its way alone',
      snyk({
        projectName: 'docker-image|nginx',
        path: 'nginx',
        vulnerabilities: [{ id: 'S-1', severity: 'low', from: ['docker-image|nginx@1.27', 'a@1'] }],
      }),
      image('nginx:1.27'),
    ],
    [
      'Snyk on an image by its id',
      snyk({
        projectName: 'docker-image|99138c65ebc7',
        path: '99138c65ebc7',
        vulnerabilities: [
          { id: 'S-1', severity: 'low', from: ['docker-image|99138c65ebc7@latest'] },
        ],
      }),
      [],
    ],
    ['Snyk on a project', snyk({ projectName: 'nginx', path: 'nginx:1.27' }), []],
  ])('by %s is what it says', (_, body, subjects) => {
    expect(readReport(body).subjects).toEqual(subjects);
  });

  it.each<[string, readonly Subject[]]>([
    ['trivy-image', image('alpine:3.10.2')],
    ['trivy-0.74', []],
    ['grype', image('app:1.0')],
    ['grype-0.7', image('defectdojo/defectdojo-django:1.13.1')],
    ['grype-0.24', []],
    [
      'grype-0.94',
      image(
        'busybox:1.32.1',
        'busybox@sha256:ae39a6f5c07297d7ab64dbd4f82c77c874cc6a94cea29fdec309d0992574b4f7',
      ),
    ],
    ['osv-scanner-1.6', []],
    ['osv-scanner', []],
    ['npm-audit', []],
    ['pip-audit', []],
    ['own', []],
    ['cyclonedx-trivy-1.5', image('ubuntu:latest')],
    ['cyclonedx-trivy-1.6', []],
    ['cyclonedx-grype', []],
    ['sarif-trivy-0.65', []],
    ['sarif-grype', []],
    ['snyk-2023-container', image('sarim04/juiceshop:latest')],
    ['snyk-2020-projects', []],
  ])('of the example %s is what it says', (report, subjects) => {
    expect(readReport(exampleReport(report)).subjects).toEqual(subjects);
  });
});
