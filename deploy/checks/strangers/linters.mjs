// What Spectral and Redocly say of an OpenAPI document. Every rule that is off has its reason here.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

const SPECTRAL_OFF = {
  // The product is installed by its operators: there is no address that holds for all of them.
  'info-contact': 'off',
};

const REDOCLY_OFF = {
  // The redirect address of the OpenID Connect provider answers with redirects only. Spectral's rule of the same purpose knows them.
  'operation-2xx-response': 'off',
  // Otherwise every schema is taken as closed, also the parts of a condition, which name some properties only. Tests of the contracts check that
  // no example has an unknown property.
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
};

export async function lintFaults(name, document) {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[oas, 'recommended']], rules: SPECTRAL_OFF });
  const ofSpectral = await linter.run(document);
  const config = await createConfig({ extends: ['recommended'], rules: REDOCLY_OFF });
  const ofRedocly = await lintFromString({ source: JSON.stringify(document), absoluteRef: `/${name}.json`, config });
  return [
    ...ofSpectral.map(({ code, message, path }) => `${name}, Spectral, ${code}: ${message} (${path.join('/')})`),
    ...ofRedocly.map(({ ruleId, message, location }) => `${name}, Redocly, ${ruleId}: ${message} (${location[0]?.pointer})`),
  ];
}
