import type { Collection } from '#read-store';
import { type Devices, noDevices } from './devices.js';

/** Users' devices. */
export class DevicesReader {
  constructor(private readonly devices: Collection<Devices>) {}

  async of(userId: number): Promise<Devices> {
    return (await this.devices.get(userId)) ?? noDevices(userId);
  }

  async ofAll(userIds: readonly number[]): Promise<readonly Devices[]> {
    return [...(await this.devices.getMany(userIds)).values()];
  }
}
