import { describe, expect, it } from 'vitest';
import {
  canonicalizeName,
  foldName,
  isPackageName,
} from '../../../shared/domain/packages/package-name.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

describe('isPackageName', () => {
  it.each<[Ecosystem, string]>([
    ['pypi', 'requests'],
    ['pypi', 'q'],
    ['pypi', 'zope.interface'],
    ['pypi', 'typing_extensions'],
    ['npm', 'lodash'],
    ['npm', '@types/node'],
    ['npm', '@-xun/types'],
    ['npm', 'JSONStream'],
    ['npm', 'a'.repeat(214)],
    ['maven', 'org.slf4j:slf4j-api'],
    ['maven', 'com.example_x:A-b.c'],
    ['docker', 'nginx'],
    ['docker', 'library/nginx'],
    ['docker', 'docker.io/library/nginx'],
    ['docker', 'ghcr.io/owner/image'],
    ['docker', 'localhost:5000/team/app__x'],
    ['docker', 'host:5000/app'],
  ])('allows the %s name %s', (ecosystem, name) => {
    expect(isPackageName(ecosystem, name)).toBe(true);
  });

  it.each<[Ecosystem, string, string]>([
    ['pypi', '-requests', 'a separator in front'],
    ['pypi', 'requests.', 'a separator at the end'],
    ['pypi', 'a..b', 'two dots in a row'],
    ['pypi', 'a/b', 'a slash'],
    ['pypi', 'requеsts', 'a Cyrillic letter'],
    ['pypi', 'a'.repeat(256), 'over 255 characters'],
    ['npm', '.hidden', 'a leading dot'],
    ['npm', '_private', 'a leading underscore'],
    ['npm', '-dash', 'a leading hyphen'],
    ['npm', '@scope', 'a scope alone'],
    ['npm', '@scope/a/b', 'two slashes'],
    ['npm', 'a'.repeat(215), 'over 214 characters'],
    ['npm', 'a b', 'a blank'],
    ['npm', 'a%2Fb', 'an escape'],
    ['maven', 'slf4j-api', 'no group'],
    ['maven', 'a:b:c', 'three parts'],
    ['maven', 'a:b c', 'a blank'],
    ['docker', 'Nginx', 'an upper-case component'],
    ['docker', 'nginx:1.27', 'a tag in the name'],
    ['docker', 'a//b', 'an empty component'],
    ['docker', 'a\nb', 'a control character'],
    ['docker', '', 'nothing'],
  ])('refuses the %s name %j: %s', (ecosystem, name) => {
    expect(isPackageName(ecosystem, name)).toBe(false);
  });
});

describe('canonicalName', () => {
  it.each<[Ecosystem, string, string]>([
    ['pypi', 'Zope.-_Interface', 'zope-interface'],
    ['npm', 'JSONStream', 'JSONStream'],
    ['maven', 'org.A:b', 'org.A:b'],
    ['docker', 'docker.io/library/nginx', 'nginx'],
    ['docker', 'docker.io/grafana/loki', 'grafana/loki'],
    ['docker', 'library/nginx', 'nginx'],
    ['docker', 'index.docker.io/library/nginx', 'nginx'],
    ['docker', 'registry-1.docker.io/grafana/loki', 'grafana/loki'],
    ['docker', 'docker.io/ghcr.io/owner/image', 'docker.io/ghcr.io/owner/image'],
    ['docker', 'docker.io/localhost/image', 'docker.io/localhost/image'],
    ['docker', 'docker.io/docker.io/image', 'docker.io/docker.io/image'],
    ['docker', 'docker.io/library/ghcr.io/image', 'library/ghcr.io/image'],
    ['docker', 'library/localhost/image', 'library/localhost/image'],
    ['docker', 'docker.io/library/ghcr.io', 'ghcr.io'],
    ['docker', 'GHCR.io/owner/image', 'ghcr.io/owner/image'],
    ['docker', 'ghcr.io/library/image', 'ghcr.io/library/image'],
  ])('spells the %s name %s as %s', (ecosystem, name, canonical) => {
    expect(canonicalizeName(ecosystem, name)).toBe(canonical);
  });
});

describe('nameKey', () => {
  it.each<[Ecosystem, string, string]>([
    ['pypi', 'Flask_Login', 'flask-login'],
    ['docker', 'docker.io/library/nginx', 'nginx'],
    ['npm', 'socket.io', 'socket.io'],
  ])('is the same for two spellings of one %s name', (_, one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });
});
