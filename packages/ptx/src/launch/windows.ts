// Generic addresses: each state space is a window, named by the high half of a 64-bit address. The
// numbers are above all addresses of a device.

/** The high half of generic addresses of shared memory; the low half is rank and offset. */
export const SHARED_WINDOW = 0x0005_0000;
/** Parameters of the kernel. */
export const PARAMETER_WINDOW = 0x0006_0000;
/** Local memory of a thread. */
export const LOCAL_WINDOW = 0x0004_0000;
/** What an address becomes that is converted from a space in which it does not lie. */
export const NO_WINDOW = 0x0007_0000;
/** Variables of the module in global and constant memory. */
export const MODULE_WINDOW = 0x0003_0000;
/** Where pointers without a recorded address lead: a buffer of their own each. */
export const BUFFER_WINDOW = 0x0000_7f00;
/** The words at which the blocks of a cooperative launch meet: a buffer of the driver. */
export const WORKSPACE_WINDOW = 0x0000_7eff;
/** Bytes that stand for boxes of tensors, whose addresses are not known. */
export const BOX_WINDOW = 0x0002_0000;
