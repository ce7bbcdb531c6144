import type { CreateConsoleReportRequest, ManualTire } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';

const TEMPLATE_WITH_SIZES = { some: 'tire_4t_2s', all: 'tire_4t_4s', none: 'tire_4t_0s' } as const;

/** The template whose slots hold what was entered. */
export function templateFor(tires: readonly ManualTire[]): CreateConsoleReportRequest['template'] {
  const sizes = tires.filter(({ size }) => size).length;
  if (sizes === 0) return TEMPLATE_WITH_SIZES.none;
  return sizes === tires.length ? TEMPLATE_WITH_SIZES.all : TEMPLATE_WITH_SIZES.some;
}

export const enteredTire = ({ position, groove_depths_mm, size }: ManualTire): ledgerApi.EnteredTire => ({
  position,
  grooveDepthsMm: groove_depths_mm,
  size: size
    ? { sectionWidthMm: size.section_width, aspectRatioPercent: size.aspect_ratio, rimDiameterInch: size.rim_diameter }
    : undefined,
});
