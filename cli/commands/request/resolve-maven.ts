import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requested } from './requested.ts';
import type { Resolve } from './resolution.ts';
import { runTool } from './run-tool.ts';

const toDependency = ({ name, range = '' }: Requested): string => {
  const [group, artifact] = name.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${range}</version></dependency>`;
};

export const resolveWithMaven: Resolve = async (requested, { folder, index, gate, signal }) => {
  const project =
    '<modelVersion>4.0.0</modelVersion><groupId>request</groupId><artifactId>request</artifactId><version>0</version>';
  const dependencies = requested.map(toDependency).join('');
  writeFileSync(
    join(folder, 'pom.xml'),
    `<project>${project}<dependencies>${dependencies}</dependencies></project>\n`,
  );
  const mirror = index
    ? `<mirrors><mirror><id>index</id><mirrorOf>*</mirrorOf><url>${index.replaceAll('&', '&amp;')}</url></mirror></mirrors>`
    : '';
  writeFileSync(join(folder, 'settings.xml'), `<settings>${mirror}</settings>\n`);
  const list = 'dependency-tree.txt';
  const args = [
    ...['-B', '-q', '-s', 'settings.xml', `-Dmaven.repo.local=${join(folder, 'repository')}`],
    ...['dependency:tree', `-DoutputFile=${join(folder, list)}`],
  ];
  await runTool('mvn', args, { cwd: folder, gate, signal });
  return [list];
};
