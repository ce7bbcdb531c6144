import type { Copy } from '../copy/copy';
import { COPY_EN_2_0 } from '../copy/en-2.0';
import { COPY_KO_1_0 } from '../copy/ko-1.0';
import { COPY_KO_2_0 } from '../copy/ko-2.0';
import type { Projection } from '../render-data/projection';
import { PROJECTION_1_0 } from '../render-data/projection-1.0';
import { PROJECTION_2_0 } from '../render-data/projection-2.0';
import type { Ruleset } from '../rulesets/ruleset';
import { RULESET_1_0 } from '../rulesets/ruleset-1.0';
import { RULESET_1_1 } from '../rulesets/ruleset-1.1';
import { RULESET_2_0 } from '../rulesets/ruleset-2.0';

/** Every version that was ever issued. The versions of a report are fixed at its creation. */
export const RULESETS: readonly Ruleset[] = [RULESET_1_0, RULESET_1_1, RULESET_2_0];
export const COPIES: readonly Copy[] = [COPY_KO_1_0, COPY_KO_2_0, COPY_EN_2_0];
export const PROJECTIONS: readonly Projection[] = [PROJECTION_1_0, PROJECTION_2_0];

export interface Versions {
  readonly ruleset_version: string;
  readonly copy_version: string;
  readonly projection_version: string;
}

export interface Generation {
  readonly ruleset: Ruleset;
  readonly copy: Copy;
  readonly projection: Projection;
}

/** A version that this release does not have; a newer release may have it. */
export class UnknownVersion extends Error {
  override name = 'UnknownVersion';
}

export function generationOf(versions: Versions, locale: string): Generation {
  return {
    ruleset: issued('ruleset', RULESETS, versions.ruleset_version),
    copy: issued(
      'copy',
      COPIES.filter((copy) => copy.locale === locale),
      versions.copy_version,
    ),
    projection: issued('projection', PROJECTIONS, versions.projection_version),
  };
}

/** The languages of these versions. None where this release does not have them. */
export function languagesOf(versions: Versions): string[] {
  const isIssued = (all: readonly { readonly version: string }[], version: string) => all.some((one) => one.version === version);
  if (!isIssued(RULESETS, versions.ruleset_version) || !isIssued(PROJECTIONS, versions.projection_version)) return [];
  return COPIES.filter(({ version }) => version === versions.copy_version).map(({ locale }) => locale);
}

function issued<T extends { readonly version: string }>(kind: string, all: readonly T[], version: string): T {
  const found = all.find((one) => one.version === version);
  if (!found) throw new UnknownVersion(`No ${kind} version ${version} is registered`);
  return found;
}
