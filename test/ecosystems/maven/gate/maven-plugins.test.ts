import { expect, it } from 'vitest';
import { settingVariables } from '../../../../shared/api/resources.ts';
import { functionOf } from '../../../support/functions.ts';
import { TestRegistry } from '../../../support/registry.ts';
import { toPath } from './maven-origin.ts';

const originUrl = 'http://repository.example.com';

it('plugins pass, and nothing else, where the setting says so', async () => {
  const registry = await TestRegistry.start({
    originUrl,
    transform: (model) => {
      const one = functionOf(model, 'serve-maven');
      const environment = { ...one.environment, [settingVariables.gateMavenPlugins]: 'pass' };
      return { ...model, functions: { ...model.functions, [one.id]: { ...one, environment } } };
    },
  });
  const path = toPath('org.apache.maven.plugins:maven-clean-plugin:3.4.0', '.jar.sha1');

  const plugin = await fetch(`${registry.url}/maven/-/plugins/${path}`, { redirect: 'manual' });
  const other = await fetch(`${registry.url}/maven/${path}`, { redirect: 'manual' });
  await registry.close();

  expect([plugin.status, plugin.headers.get('location')]).toEqual([
    302,
    `${originUrl}/maven/${path}`,
  ]);
  expect(other.status).toBe(403);
});
