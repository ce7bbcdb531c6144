import { newId } from '@tire/kernel';
import type { TreadMeasurement } from '@tire/contracts/events';
import type { ledgerApi } from '@tire/contracts/grpc';
import { createHash } from 'node:crypto';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;

/** Four treads by URL, in a new project. */
export const creationRequest = (over: Partial<ledgerApi.CreateReportRequest> = {}): ledgerApi.CreateReportRequest => ({
  projectId: newId(),
  projectMode: 'live',
  requestDigest: createHash('sha256').update('request').digest(),
  templateKey: 'tire_4t_2s',
  contentProfile: undefined,
  metadataJson: '{}',
  images: POSITIONS.map((position) => ({ slotId: `tire.tread.${position}`, url: `https://images.example/${position}.jpg?sig=a%2Fb` })),
  ...over,
});

export const treadMeasurement = (): TreadMeasurement => ({
  quality: { recognized: true, confidence: 0.9 },
  aggregatedRemainingDepthMm: 5.2,
  estimatedLifetimeKm: 30_000,
  individualRemainingDepthMm: [5.2, Number.NaN],
  individualDepthInterval: [],
  tireRotationDegClockwise: 0,
  vehicleSide: 'left',
  grooveMasks: [
    { depthMm: 5.2, score: 0.8, polygonXyNorm: [{ x: 0.1, y: 0.1 }] },
    { depthMm: Number.NaN, score: Number.POSITIVE_INFINITY, polygonXyNorm: [] },
  ],
  treadRoiBboxNorm: { x1: 0, y1: 0, x2: 1, y2: 1 },
});
