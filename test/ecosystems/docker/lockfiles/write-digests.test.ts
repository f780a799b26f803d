import { describe, expect, it } from 'vitest';
import {
  type ImageFormat,
  writeDigests,
} from '../../../../shared/ecosystems/docker/lockfiles/write-digests.ts';

const digest = `sha256:${'d'.repeat(64)}`;
const known = ['node', 'golang', 'busybox', 'debian', 'docker/dockerfile', 'ghcr.io/acme/app'];
const find = (name: string) => (known.includes(name) ? digest : undefined);
/** A variable as these files write it. */
const variable = (name: string): string => `\${${name}}`;

const pin = (format: ImageFormat, text: string) => {
  const { text: after, pinned, left } = writeDigests(format, text, find);
  return {
    after: after.replaceAll(digest, 'D'),
    pinned: pinned.map(({ line, image, pinned: now }) => [line, image, now.replace(digest, 'D')]),
    left: left.map(({ line, image, reason }) => [line, image, reason]),
  };
};

describe('a Dockerfile', () => {
  it.each([
    ['FROM node:22', 'FROM node:22@D'],
    ['FROM node', 'FROM node:latest@D'],
    ['from  node:22\tas x  \r', 'from  node:22@D\tas x  \r'],
    ['FROM "node:22"', 'FROM "node:22@D"'],
    ["FROM 'node:22' AS a", "FROM 'node:22@D' AS a"],
    ['FROM docker.io/library/node:22', 'FROM docker.io/library/node:22@D'],
    ['FROM ghcr.io/acme/app', 'FROM ghcr.io/acme/app:latest@D'],
    ['FROM --platform=$BUILDPLATFORM node:22', 'FROM --platform=$BUILDPLATFORM node:22@D'],
    ['FROM \\\n # why\n\n  node:22 \\\n AS a', 'FROM \\\n # why\n\n  node:22@D \\\n AS a'],
    ['# escape=`\nFROM `\r\n node:22', '# escape=`\nFROM `\r\n node:22@D'],
    ['FROM x\nONBUILD COPY --from=node:22 a b', 'FROM x\nONBUILD COPY --from=node:22@D a b'],
    ['FROM x\nADD --from=busybox:1 a b', 'FROM x\nADD --from=busybox:1@D a b'],
    [
      'FROM x\nRUN --mount=type=bind,from=golang:1,target=/go --mount=from=node,type=bind true',
      'FROM x\nRUN --mount=type=bind,from=golang:1@D,target=/go --mount=from=node:latest@D,type=bind true',
    ],
    ['# syntax = docker/dockerfile:1 \nFROM x', '# syntax = docker/dockerfile:1@D \nFROM x'],
    [
      '#!/bin/x\n#syntax=docker/dockerfile\nFROM x',
      '#!/bin/x\n#syntax=docker/dockerfile:latest@D\nFROM x',
    ],
    ['FROM node:22 AS node\nFROM node', 'FROM node:22@D AS node\nFROM node'],
    ['FROM x AS a\nCOPY --from=0 a b\nCOPY --from=a a b', undefined],
    ['FROM scratch', undefined],
    ['FROM x\nRUN <<EOT\nFROM node:22\nEOT', undefined],
    ['FROM x\n# FROM node:22\nLABEL a="FROM node:22"', undefined],
    [`FROM node:22@sha256:${'e'.repeat(64)}`, undefined],
    ['FROM redis:7', undefined],
  ])('%j becomes %j', (before, after) => {
    const result = pin('Dockerfile', before);

    expect(result.after).toBe(after ?? before);
    expect(result.left).toEqual([]);
    expect(pin('Dockerfile', result.after.replaceAll('@D', `@${digest}`)).pinned).toEqual([]);
  });

  it.each([
    ['FROM node:$V', 'node:$V', 'variable'],
    ['ARG V=22\nFROM node:$V', 'node:$V', 'variable'],
    ['ARG I=node:22\nFROM $I', '$I', 'variable'],
    [`FROM ${variable('EMPTY')}`, variable('EMPTY'), 'variable'],
    ['FROM no\\\nde:22', 'node:22', 'spelling'],
    ['FROM no"de":22', 'node:22', 'spelling'],
    ['FROM x\nCOPY --from="node:22" a b', 'node:22', 'spelling'],
    ['FROM x\nCOPY --from=no\\de:22 a b', 'node:22', 'spelling'],
  ])('%j is not changed at %s', (text, image, reason) => {
    expect(pin('Dockerfile', text)).toMatchObject({
      ...{ after: text, pinned: [] },
      left: [[expect.any(Number), image, reason]],
    });
  });
});

describe('a Compose file', () => {
  it.each([
    ['a: { image: node }', 'a: { image: node:latest@D }'],
    ['a: { image: "node:22" } # c', 'a: { image: "node:22@D" } # c'],
    ["a: { 'image' : 'node:22', x: y}", "a: { 'image' : 'node:22@D', x: y}"],
    ['a: { image: " node:22 " }', 'a: { image: " node:22@D " }'],
    ['a: { image: !!str node:22 }', 'a: { image: !!str node:22@D }'],
    [
      'a: { image: &n node:22 }\n  b: { image: *n }',
      'a: { image: &n node:22@D }\n  b: { image: *n }',
    ],
    ['a: &a { image: node:22 }\n  b: { <<: *a }', 'a: &a { image: node:22@D }\n  b: { <<: *a }'],
    [
      'a: { image: node:22 }\n  b: { extends: { service: a } }',
      'a: { image: node:22@D }\n  b: { extends: { service: a } }',
    ],
    [
      'a: { build: { additional_contexts: [b=docker-image://debian:12, "c=./x"] } }',
      'a: { build: { additional_contexts: [b=docker-image://debian:12@D, "c=./x"] } }',
    ],
    [
      'a: { build: { additional_contexts: { b: docker-image://debian:12 } } }',
      'a: { build: { additional_contexts: { b: docker-image://debian:12@D } } }',
    ],
    [
      'a: { volumes: [{ type: image, source: busybox:1, target: /b }, "x:/y"] }',
      'a: { volumes: [{ type: image, source: busybox:1@D, target: /b }, "x:/y"] }',
    ],
    ['a: { build: ., image: node:22 }', undefined],
    ['a: { image: redis:7, command: node:22 }', undefined],
  ])('%j becomes %j', (service, after) => {
    const before = `services:\n  ${service}\n`;
    const result = pin('compose.yaml', before);

    expect(result.after).toBe(after === undefined ? before : `services:\n  ${after}\n`);
    expect(result.left).toEqual([]);
    expect(result.pinned).toHaveLength(after === undefined ? 0 : 1);
  });

  it.each([
    [`a: { image: "node:${variable('V:-22')}" }`, `node:${variable('V:-22')}`, 'variable'],
    ['a: { image: node:22$$ }', 'node:22$$', 'variable'],
    ['a:\n    image: >-\n      node:22', 'node:22', 'spelling'],
    ['a: { image: "n\\x6fde:22" }', 'node:22', 'spelling'],
    ['a: { image: "node:\\\n      22" }', 'node:22', 'spelling'],
    ['a:\n    build:\n      dockerfile_inline: |\n        FROM node:22', 'node:22', 'inline'],
    ['a: { extends: { file: b.yaml } }', 'b.yaml', 'include'],
    ['a: { image: x }\nmodels: { m: { model: node:22 } }', 'node:22', 'model'],
    ['a: { image: x }\ninclude: [c.yaml]', 'c.yaml', 'include'],
    // The name of the project's own image would change.
    ['a: { image: &n node:22 }\n  b: { build: ., image: *n }', 'node:22', 'changed'],
  ])('%j is not changed at %s', (service, image, reason) => {
    const text = `services:\n  ${service}\n`;

    expect(pin('compose.yaml', text)).toMatchObject({
      ...{ after: text, pinned: [] },
      left: [[expect.any(Number), image, reason]],
    });
  });

  it('names the line of the anchor, and not of its aliases', () => {
    const text = 'services:\n  a: { image: &n node:22 }\n  b: { image: *n }\n';

    expect(pin('compose.yaml', text).pinned).toEqual([[2, 'node:22', 'node:22@D']]);
  });

  it('changes nothing if one of its digests would change something else', () => {
    const text =
      'services:\n  c: { image: debian:12 }\n  a: { image: &n node:22 }\n  b: { build: ., image: *n }\n';

    expect(pin('compose.yaml', text)).toMatchObject({ after: text, pinned: [] });
    expect(pin('compose.yaml', text).left).toHaveLength(2);
  });
});
