import type { ReportSlot, TreadResult } from '@tire/contracts/api';
import { drawnAsShown, transformOf } from '@tire/kernel/orientation';
import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useImage, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { useShownImage } from './shown-image';

/** The rotation and the flip for display, and the overlays, in stored pixels. */
export interface ImageDisplay {
  readonly degrees: number;
  readonly mirrored: boolean;
  readonly masks: TreadResult['groove_masks'];
  readonly roi: TreadResult['tread_roi']['bbox_xyxy_norm'];
}

interface ImageProps {
  readonly at: ReportAt;
  readonly asset: NonNullable<ReportSlot['asset']>;
  readonly label: string;
  readonly display: ImageDisplay;
  readonly showsGrooves: boolean;
}

export function ReportImage({ at, asset, label, display, showsGrooves }: ImageProps) {
  const t = useTexts();
  const image = useImage(at, asset.asset_id);
  const { src, broken, onLoad, onError, retry } = useShownImage(image);
  if (broken)
    return (
      <NoImage text={t.slots.notShown}>
        <Button size="xs" variant="default" aria-label={t.slots.actionOf(t.common.again, label)} loading={image.isFetching} onClick={retry}>
          {t.common.again}
        </Button>
      </NoImage>
    );
  if (!image.data || src === undefined) return <Skeleton className="photo" />;
  const { orientation, url } = image.data;
  return (
    <>
      <div className="photo">
        <div className="photo-turn" style={{ transform: transformOf(orientation, display.degrees, display.mirrored) }}>
          <img src={src} alt={t.slots.imageOf(label)} decoding="async" loading="lazy" onLoad={onLoad} onError={onError} />
          {showsGrooves && <Grooves display={display} orientation={orientation} />}
        </div>
      </div>
      <Anchor href={url} target="_blank" rel="noreferrer" size="sm" aria-label={t.slots.fullOf(label)}>
        {t.slots.full}
      </Anchor>
    </>
  );
}

export function NoImage({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="photo photo-none">
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </div>
  );
}

/** Hidden from screen readers: the depths are listed below. */
function Grooves({ display: { masks, roi }, orientation }: { display: ImageDisplay; orientation: number }) {
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <g transform={`matrix(${drawnAsShown(orientation)})`}>
        {roi && <rect className="roi" x={roi[0]} y={roi[1]} width={roi[2] - roi[0]} height={roi[3] - roi[1]} />}
        {masks.map(({ polygon_xy_norm }, index) => (
          <polygon key={index} points={polygon_xy_norm.map(([x, y]) => `${x},${y}`).join(' ')} />
        ))}
      </g>
    </svg>
  );
}
