import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi } from '@tire/contracts/grpc';
import { LOGO_BYTES_MAX } from '@tire/contracts/limits';
import { DomainError, faulty } from '@tire/kernel';
import { DecoderLost, ImageDecoder, UnusableImage } from '@tire/platform/images';
import { logoKey } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';
import { DisplayService, READ_LIFETIME_SECONDS } from './display.service';

const LOGO = { widthPx: 480, heightPx: 160 };
/** The limit of the file that is sent. A logo has far fewer pixels. */
const WANTED = { longSidePx: LOGO.widthPx, minShortSidePx: 1, maxPixels: 16_000_000, orientation: 1 };
const HEADERS = { contentType: 'image/png', cacheControl: 'private, max-age=60' };

/** The logos of projects, drawn again from the images that members send. The share service stores which logo a project has now. */
@Injectable()
export class LogoService {
  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    private readonly display: DisplayService,
    private readonly decoder: ImageDecoder,
  ) {}

  async store({ projectId, image, name }: assetsApi.StoreLogoRequest): Promise<assetsApi.StoreLogoResponse> {
    const key = keyOf(projectId, name);
    if (image.length > LOGO_BYTES_MAX) throw unusable();
    const { bytes, widthPx, heightPx } = await this.display.inTurn(projectId, () => this.made(image));
    await this.objects.put(key, Buffer.from(bytes), HEADERS);
    return { name, widthPx, heightPx };
  }

  async sign({ projectId, name }: assetsApi.SignLogoRequest): Promise<assetsApi.SignLogoResponse> {
    return { url: await this.objects.signGet(keyOf(projectId, name), READ_LIFETIME_SECONDS) };
  }

  async remove({ projectId, name }: assetsApi.RemoveLogoRequest): Promise<void> {
    await this.objects.remove(keyOf(projectId, name));
  }

  private async made(image: Uint8Array) {
    try {
      return await this.decoder.png(image, WANTED, LOGO);
    } catch (error) {
      throw error instanceof UnusableImage || error instanceof DecoderLost ? unusable(error) : error;
    }
  }
}

function keyOf(projectId: string, name: string): string {
  const key = logoKey(projectId, name);
  if (key === undefined) throw new DomainError('not_found');
  return key;
}

const unusable = (cause?: Error) => faulty('image', 'must be a readable PNG or JPEG of at most 512 KiB', cause);
