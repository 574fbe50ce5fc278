import { satisfiesRange } from '@skillpack/core';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { isNodeSupported } from './is-node-supported.js';

test.each([
  '18.20.8',
  '20.20.2',
  '22.18.0',
  '22.19.0',
  '22.99.0',
  '23.11.1',
  '24.10.0',
  '24.11.0',
  '25.2.0',
  '26.0.0',
  '30.1.0',
])('of Node %s it says what the engines of the package say', (version) => {
  expect(isNodeSupported(version)).toBe(satisfiesRange(version, packageJson.engines.node));
});
