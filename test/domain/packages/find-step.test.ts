import { expect, it } from 'vitest';
import { findStep } from '../../../shared/domain/packages/find-step.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

it.each<[Ecosystem, string, string, ReturnType<typeof findStep>]>([
  ['npm', '4.17.20', '4.17.21', 'patch'],
  ['npm', '4.16.6', '4.17.0', 'minor'],
  ['npm', '3.10.1', '4.0.0', 'major'],
  ['npm', '1.0.0-rc.1', '1.0.0', undefined],
  ['pypi', '2.31', '2.31.1', 'patch'],
  ['pypi', '2', '2.1', 'minor'],
  ['pypi', '1.0rc1', '1.0', undefined],
  ['pypi', '1.0.post1', '1.1', 'minor'],
  ['pypi', '1!2.0.1', '1!2.0.2', 'patch'],
  ['pypi', '2025.1', '1!1.0', 'major'],
  ['maven', '1.0-beta-2', '1.0', undefined],
  ['maven', '2.14.1', '2.17.0', 'minor'],
  ['maven', 'RELEASE', '1.0', undefined],
  ['docker', '6.0.19', '7.0.14', undefined],
])('finds the step of %s from %s to %s: %s', (ecosystem, from, to, step) => {
  expect(findStep(ecosystem, from, to)).toBe(step);
});
