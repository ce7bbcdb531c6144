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
  size: size ? enteredSize(size) : undefined,
});

type Size = NonNullable<ManualTire['size']>;

export const enteredSize = (size: Size): ledgerApi.EnteredSize => ({
  sectionWidthMm: size.section_width,
  aspectRatioPercent: size.aspect_ratio,
  rimDiameterInch: size.rim_diameter,
});

export const shownSize = (size: ledgerApi.EnteredSize): Size => ({
  section_width: size.sectionWidthMm,
  aspect_ratio: size.aspectRatioPercent,
  rim_diameter: size.rimDiameterInch,
});

export const spelledSize = (size: Size): string => `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`;
