import { expect, it } from 'vitest';
import { toImageAddress } from '../../../../shared/ecosystems/docker/origin/image-address.ts';

it.each([
  ['nginx', 'docker.io', 'library/nginx'],
  ['docker.io/library/nginx', 'docker.io', 'library/nginx'],
  ['index.docker.io/nginx', 'docker.io', 'library/nginx'],
  ['grafana/grafana', 'docker.io', 'grafana/grafana'],
  ['ghcr.io/owner/image', 'ghcr.io', 'owner/image'],
  ['ghcr.io/image', 'ghcr.io', 'image'],
  ['localhost/x', 'localhost', 'x'],
  ['localhost:5000/a/b', 'localhost:5000', 'a/b'],
  ['docker.io/ghcr.io/a/b', 'docker.io', 'ghcr.io/a/b'],
  ['docker.io/localhost/x', 'docker.io', 'localhost/x'],
  ['index.docker.io/localhost/x', 'docker.io', 'localhost/x'],
])('finds the registry of %s: %s, %s', (name, host, repository) => {
  expect(toImageAddress(name)).toEqual({ host, repository });
});
