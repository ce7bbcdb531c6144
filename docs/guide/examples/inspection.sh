export INSPECTION=inspection-$(date +%s)
export TIRE_CALLBACK_URL=${TIRE_CALLBACK_URL:-https://receiver.invalid/tires}
