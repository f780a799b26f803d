import type { Ecosystem } from '../shared/domain/ecosystem.ts';

export const originAddresses = (): Record<Ecosystem, string> => ({
  npm: 'https://npm.example.com',
  pypi: 'https://pypi.example.com',
  maven: 'https://maven.example.com',
  docker: 'https://docker.example.com',
});
