import type { Project, ProjectDetail, ProjectUse } from '../../schemas/project.ts';
import type { ProjectRef } from '../../schemas/snapshot.ts';

export const project = {
  project: 'acme/shop',
  owner: 'payments@example.com',
  refs: 1,
  recorded_at: '2026-11-20T08:30:00.000Z',
} as const satisfies Project;

export const projectRef = {
  ref: 'main',
  digest: 'sha256:9b8a1f0c4a4d6f1e2b7c3d5e8f90a1b2c3d4e5f60718293a4b5c6d7e8f901234',
  number: 12,
  commit: '2c2624c6a1d8a1f0b8b0f2b7ad0b6f6a1a9d3e5f',
  recorded_at: project.recorded_at,
  recorded_by: 'ci',
  versions: 2,
  direct: 1,
} as const satisfies ProjectRef;

export const projectUse = {
  ...{ ecosystem: 'maven', name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1' },
  ...{ project: project.project, ref: projectRef.ref, direct: false },
  ...{ owner: project.owner, recorded_at: project.recorded_at },
} as const satisfies ProjectUse;

/** Version that the project uses. */
export const usedVersion = {
  ecosystem: 'maven',
  name: projectUse.name,
  version: projectUse.version,
} as const;
const name = 'org.springframework:spring-core';
const spring = { ecosystem: 'maven', name, version: '6.2.1' } as const;
const files = ['pom.xml'];

export const recordedVersions = [
  { ...usedVersion, direct: false, files },
  { ...spring, direct: true, files },
];

export const projectVersions: ProjectDetail['versions'] = [
  {
    ...{ ...usedVersion, direct: false, files, status: 'rejected' },
    ...{ attention: ['recalled'], own_package: false },
  },
  { ...{ ...spring, direct: true, files, status: 'approved' }, attention: [], own_package: false },
];
