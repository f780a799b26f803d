import { expect, it } from 'vitest';
import { settingVariables } from '../../../../shared/api/resources.ts';
import { functionOf } from '../../../support/functions.ts';
import { TestRegistry } from '../../../support/registry.ts';
import { toPath } from './maven-origin.ts';

const originUrl = 'http://repository.example.com';

it('plugins pass except own ones, and nothing else, where the setting says so', async () => {
  const registry = await TestRegistry.start({
    originUrl,
    transform: (model) => {
      const one = functionOf(model, 'serve-maven');
      const environment = {
        ...one.environment,
        [settingVariables.gateMavenPlugins]: 'pass',
        [settingVariables.ownPackages]: 'maven:com.acme:*',
      };
      return { ...model, functions: { ...model.functions, [one.id]: { ...one, environment } } };
    },
  });
  const path = toPath('org.apache.maven.plugins:maven-clean-plugin:3.4.0', '.jar.sha1');

  const plugin = await fetch(`${registry.url}/maven/-/plugins/${path}`, { redirect: 'manual' });
  const other = await fetch(`${registry.url}/maven/${path}`, { redirect: 'manual' });
  const own = [
    toPath('com.acme:acme-maven-plugin:1.0', '.jar'),
    toPath('com.acme:acme-maven-plugin:1.0-SNAPSHOT', '.jar'),
    'com/acme/acme-maven-plugin/maven-metadata.xml',
  ];
  const refused = await Promise.all(
    own.map((one) => fetch(`${registry.url}/maven/-/plugins/${one}`, { redirect: 'manual' })),
  );
  await registry.close();

  expect([plugin.status, plugin.headers.get('location')]).toEqual([
    302,
    `${originUrl}/maven/${path}`,
  ]);
  expect(other.status).toBe(403);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
});
