import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';

const file = resolve('openapi.json');
const source = readFileSync(file, 'utf8');

/** The two packages write the type of a ruleset in ways that the compiler takes for two. */
const recommended = { extends: [[rulesets.oas, 'recommended']] } as unknown as RulesetDefinition;

const lintBySpectral = async (document: string): Promise<string[]> => {
  const linter = new spectral.Spectral();
  linter.setRuleset(recommended);
  const faults = await linter.run(document);
  return faults.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
};

const lintByRedocly = async (document: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const faults = await lintFromString({ source: document, absoluteRef: file, config });
  return faults.map(
    ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  );
};

const linters: [string, (document: string) => Promise<string[]>][] = [
  ["Spectral's rules for OpenAPI", lintBySpectral],
  ["Redocly's recommended rules", lintByRedocly],
];

it.each(linters)('openapi.json breaks none of %s, and has no warning', async (_, lint) => {
  expect(await lint(source)).toEqual([]);
});

it.each(linters)('%s see an operation without a summary', async (_, lint) => {
  const document = JSON.parse(source);
  delete document.paths['/'].get.summary;
  delete document.paths['/'].get.description;

  expect(await lint(JSON.stringify(document))).not.toEqual([]);
});
