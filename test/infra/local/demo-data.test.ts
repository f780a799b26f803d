import { expect, it } from 'vitest';
import { demoPackages, demoScans } from '../../../infra/local/demo/data.ts';

interface Version {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

const write = ({ ecosystem, name, version }: Version): string => `${ecosystem} ${name} ${version}`;

it('has each version once', () => {
  const versions = demoPackages.map(({ submission }) => write(submission));

  expect(new Set(versions).size).toBe(versions.length);
});

it('has scans of its own versions only', () => {
  const versions = demoPackages.map(({ submission }) => write(submission));

  expect(demoScans.map(({ id }) => write(id)).filter((id) => !versions.includes(id))).toEqual([]);
});

it('names the affected version in each scan', () => {
  const wrong = demoScans.filter(({ id, vulnerabilities }) =>
    vulnerabilities.some(({ components }) => components.join() !== `${id.name} ${id.version}`),
  );

  expect(wrong).toEqual([]);
});
