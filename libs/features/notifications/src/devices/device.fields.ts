import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { DevicesReader } from './devices.reader.js';
import { wireAccount, wireDevice } from './wire-devices.js';

/** The viewer's devices (register.md §2). */
@Injectable()
export class DeviceFields extends RegisterFields {
  override readonly keys = ['push_device', 'device'];

  constructor(private readonly reader: DevicesReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    const wanted = this.keys.filter((key) => wants(context, key));
    if (wanted.length === 0) return;
    const { accounts, devices } = await this.reader.of(context.viewer.userId);
    if (wanted.includes('push_device'))
      fields.add('push_devices', Object.fromEntries(accounts.map((one) => [one.pushAccountId, wireAccount(one)])));
    if (wanted.includes('device'))
      fields.add('devices', Object.fromEntries(devices.map((one) => [one.deviceId, wireDevice(one)])));
  }
}
