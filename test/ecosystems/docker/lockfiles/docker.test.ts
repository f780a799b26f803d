import { describe, expect, it } from 'vitest';
import { listDependencies, listUnpinned, read } from '../../lockfiles/example.ts';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
/** A variable as these files write it. */
const variable = (name: string): string => `\${${name}}`;

const readDockerfile = (...lines: readonly string[]) => read('Dockerfile', lines.join('\n'));

describe('a Dockerfile', () => {
  it('pulls the images of its stages, but not the stages', () => {
    const file = readDockerfile(
      'FROM --platform=$BUILDPLATFORM node:22 AS Build',
      'FROM build AS test',
      'FROM scratch',
      'COPY --from=build /a /a',
      'COPY --from=0 /a /a',
      'FROM nginx:1.27-alpine',
    );

    expect(file.dependencies).toEqual([
      { ecosystem: 'docker', name: 'node', version: '22', line: 1, through: [] },
      { ecosystem: 'docker', name: 'nginx', version: '1.27-alpine', line: 6, through: [] },
    ]);
    expect(file.unpinned).toEqual([]);
  });

  it('pulls what files are taken from, and the frontend that builds it', () => {
    const file = readDockerfile(
      '# syntax=docker/dockerfile:1.7',
      'FROM alpine:3.20',
      'COPY --link \\',
      '  # not the end',
      '  --from=busybox:1.36 /bin/sh /sh',
      'RUN --mount=type=bind,from=golang:1.22,target=/go --mount=type=cache,target=/c true',
      'ONBUILD COPY --from=redis:7 /a /a',
      'COPY --from=later /a /a',
      'FROM debian:12 AS later',
    );

    expect(listDependencies(file)).toEqual([
      'alpine@3.20',
      'busybox@1.36',
      'debian@12',
      'docker/dockerfile@1.7',
      'golang@1.22',
      'later@latest',
      'redis@7',
    ]);
    expect(file.dependencies.find(({ name }) => name === 'busybox')?.line).toBe(3);
  });

  it.each([
    ['node', 'node', 'latest'],
    ['docker.io/library/node:22', 'node', '22'],
    ['index.docker.io/library/node:22', 'node', '22'],
    ['ghcr.io/Owner/image:1'.toLowerCase(), 'ghcr.io/owner/image', '1'],
    ['localhost:5000/a/b', 'localhost:5000/a/b', 'latest'],
    [`node@${digest('a')}`, 'node', digest('a')],
  ])('names %s %s %s', (reference, name, version) => {
    expect(readDockerfile(`FROM ${reference}`).dependencies).toMatchObject([{ name, version }]);
  });

  it('is pinned by a digest, whatever tag stands beside it', () => {
    expect(readDockerfile(`FROM node:22@${digest('b')}`).dependencies).toMatchObject([
      { name: 'node', version: digest('b'), tag: '22' },
    ]);
  });

  it('uses the defaults of the arguments before its first stage', () => {
    const file = readDockerfile(
      'ARG NODE=22 DISTRIBUTION="alpine"',
      `ARG IMAGE=node:${variable('NODE')}-$DISTRIBUTION`,
      'ARG EMPTY',
      `FROM ${variable('IMAGE')}`,
      'ARG LATE=1',
      `FROM ${variable('EMPTY:-debian:12-slim')}`,
      `FROM redis:${variable('NODE:+7')}`,
      `FROM ${variable('EMPTY')}`,
      `FROM python:${variable('LATE')}`,
      `FROM golang:${variable('NODE#2')}`,
    );

    expect(listDependencies(file)).toEqual(['debian@12-slim', 'node@22-alpine', 'redis@7']);
    expect(listUnpinned(file)).toEqual([
      `variable ${variable('EMPTY')}`,
      `variable golang:${variable('NODE#2')}`,
      `variable python:${variable('LATE')}`,
    ]);
  });

  it('is no image in what it only prints', () => {
    const file = readDockerfile('FROM node:22', 'RUN <<EOT', 'FROM fake:1', 'EOT');

    expect(listDependencies(file)).toEqual(['node@22']);
  });

  it('does not grow without end by arguments that multiply each other', () => {
    const doubling = Array.from({ length: 60 }, (_, at) => `ARG A${at + 1}=$A${at}$A${at}`);

    const file = readDockerfile('ARG A0=xxxxxxxx', ...doubling, 'FROM $A60');

    expect(listUnpinned(file)).toEqual(['variable $A60']);
  });
});

describe('a Compose file', () => {
  it('runs images, but builds its own', () => {
    const file = read(
      'compose.yaml',
      `services:
  web:
    image: nginx:1.27
  app:
    build: .
    image: registry.example.com/app:1
  job:
    build:
      additional_contexts:
        - base=docker-image://debian:12
      dockerfile_inline: |
        FROM alpine:3.20
    volumes:
      - { type: image, source: busybox:1.36, target: /b }
`,
    );

    expect(file.dependencies.map(({ name, line }) => [name, line])).toEqual([
      ['nginx', 3],
      ['debian', 10],
      ['alpine', 11],
      ['busybox', 14],
    ]);
    expect(file.own).toEqual(['registry.example.com/app:1']);
  });

  it('takes images from what is merged into a service', () => {
    const text = `x-first: &first { image: redis:7 }
x-second: &second { <<: *first, restart: always }
services:
  a: { <<: *second }
  b: { <<: [{ command: x }, *first], image: redis:8 }
`;

    expect(listDependencies(read('docker-compose.yml', text))).toEqual(['redis@7', 'redis@8']);
  });

  it('uses the defaults of variables', () => {
    const text = `services:
  a: { image: "postgres:${variable('VERSION:-16.3')}" }
  b: { image: "$IMAGE" }
  c: { image: "a:${variable('VERSION?must be set')}" }
`;

    const file = read('docker-compose.prod.yml', text);

    expect(listDependencies(file)).toEqual(['postgres@16.3']);
    expect(listUnpinned(file)).toEqual([
      'variable $IMAGE',
      `variable a:${variable('VERSION?must be set')}`,
    ]);
  });

  it('names the files that it includes', () => {
    const text = `include: [a.yaml, { path: [b.yaml] }]
services:
  c: { extends: { file: d.yaml, service: c } }
`;

    expect(listUnpinned(read('compose.yml', text))).toEqual([
      'include a.yaml',
      'include b.yaml',
      'include d.yaml',
    ]);
  });
});
