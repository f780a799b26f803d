import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { load as readYaml } from 'js-yaml';
import { parse as readToml } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../infra/config.ts';
import { until } from '../../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../../support/origin-server.ts';
import { packagePath, TestRegistry } from '../../support/registry.ts';
import { publishAll } from '../npm/gate/npm-origin.ts';

const page = ['gate', 'gate-clients', 'gate-maven']
  .map((name) => readFileSync(`docs/${name}.md`, 'utf8'))
  .join('\n');
const listBlocks = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  );
const blocks = (language: string): string[] => listBlocks(page, language);

/** A package rule of Renovate for the packages of some sources. */
interface Rule {
  readonly matchDatasources: readonly string[];
  readonly registryUrls: readonly string[];
}

let folder: string;
let origin: OriginServer;
let registry: TestRegistry;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registry-gate-docs-'));
  origin = await startOriginServer();
  const lodash = { name: 'lodash', version: '4.17.21', license: 'MIT' };
  publishAll(origin, [lodash]);
  registry = await TestRegistry.start({ originUrl: origin.url });
  for (const version of ['4.17.20', '4.17.21']) {
    await registry.submit({ ecosystem: 'npm', name: 'lodash', version });
  }
  const evidence = `${packagePath('lodash', '/evidence')}?version=4.17.21`;
  await until(async () => (await registry.get(evidence)).body.facts?.found === 'yes');
  await registry.post(`${packagePath('lodash', '/approve')}?version=4.17.21`);
  await registry.post(`${packagePath('lodash', '/reject')}?version=4.17.20`, {
    reason: 'CVE-2021-23337',
  });
});
afterAll(async () => {
  await registry.close();
  await origin.close();
  rmSync(folder, { recursive: true });
});

const paste = (script: string): Promise<string> => {
  const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, npm_config_cache: folder };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
    );
  });
};

describe('the pages of the gate', () => {
  it('has blocks for a terminal that run, one after the other', async () => {
    const [install = '', refused = ''] = blocks('sh').filter(
      (block) => !block.includes('cdk deploy'),
    );

    const shown = await paste(
      `${install}\n${refused}`.replaceAll('http://127.0.0.1:3000', registry.url),
    );

    expect(shown).toContain('added 1 package');
    expect(shown).toContain('npm:lodash@4.17.20 is rejected: CVE-2021-23337; approved: 4.17.21');
  });

  it('has files that their programs can read', () => {
    const [variables] = blocks('yaml').map((block) => readYaml(block));

    expect(blocks('toml').map((block) => Object.keys(readToml(block)))).toEqual([
      ['install'],
      ['tool'],
      ['tool'],
    ]);
    expect(variables).toHaveProperty('npmRegistryServer');
  });

  it('has settings of Maven that are well-formed, and send everything to the gate', () => {
    const mirrors = blocks('xml').map((block) => {
      expect(XMLValidator.validate(block)).toBe(true);
      const { settings } = new XMLParser({ ignoreAttributes: true }).parse(block);
      return [settings.mirrors.mirror].flat().at(-1);
    });

    expect(mirrors).toHaveLength(2);
    for (const { mirrorOf, url } of mirrors) {
      expect([mirrorOf, url]).toEqual(['*', 'https://registry.example.com/prod/maven/']);
    }
  });

  it('has a configuration of Renovate that names a list of the gate for every source that stays enabled', async () => {
    const [block = '{}'] = listBlocks(readFileSync('docs/renovate.md', 'utf8'), 'json');
    const { hostRules, force } = JSON.parse(block);
    const [others, ...sources] = force.packageRules;
    const named: readonly string[] = sources.flatMap((rule: Rule) => rule.matchDatasources);
    const lists = ['none', 'none/', 'org/acme/none/maven-metadata.xml'];
    const refusals = await Promise.all(
      sources.map(async ({ registryUrls: [url = ''] }: Rule, at: number) => {
        const base = url.replace('https://registry.example.com/prod', registry.url);
        return Object(await (await fetch(`${base}${lists[at]}`)).json()).detail;
      }),
    );

    expect(hostRules).toEqual([{ matchHost: 'registry.example.com', allowInternal: true }]);
    expect(others).toEqual({
      matchDatasources: named.map((name) => `!${name}`),
      enabled: false,
    });
    expect(refusals).toEqual([
      expect.stringContaining('registry submit npm:none@VERSION'),
      expect.stringContaining('registry submit pypi:none@VERSION'),
      expect.stringContaining('registry submit maven:org.acme:none@VERSION'),
    ]);
  });

  it('deploys settings that there are', () => {
    const settings = [...page.matchAll(/-c (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);

    expect(settings.length).toBeGreaterThan(0);
    expect(() => parseSettings(Object.fromEntries(settings))).not.toThrow();
  });
});
